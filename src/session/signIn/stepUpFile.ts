// Loads what a step-up needs, with the first one (contract §12).
import { ours } from '../ours.ts'

export const loadStepUp = () => ours(import('./stepUp.ts'))
