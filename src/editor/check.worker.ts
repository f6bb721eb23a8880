// The worker that checks a text and does what people ask for it.
import { repair } from './repair.ts'
import { listen } from './workerLoop.ts'

listen({ repair })
