// Loads what a step-up needs, with the first one.
import { ours } from '../ours.ts'

export const loadStepUp = () => ours(import('./stepUp.ts'))
