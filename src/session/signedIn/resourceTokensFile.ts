// Loads what tokens for resources need, with the first one.
import { ours } from '../ours.ts'

export const loadResourceTokens = () => ours(import('./resourceTokens.ts'))
