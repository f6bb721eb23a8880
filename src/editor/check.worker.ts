// The worker that checks a text and does what people ask for it.
import { listen } from './jobs.ts'
import { readOutline } from './outline.ts'
import { repair } from './repair.ts'

listen({ repair, readOutline })
