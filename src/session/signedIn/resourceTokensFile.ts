// Loads what tokens for resources need, with the first one (contract §2).
import { ours } from '../ours.ts'

export const loadResourceTokens = () => ours(import('./resourceTokens.ts'))
