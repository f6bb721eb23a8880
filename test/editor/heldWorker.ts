// A worker that answers when a test tells it to.
import type { Job, JobResult } from '../../src/editor/jobs.ts'

/** Stands in for the browser's `Worker`. */
export class HeldWorker extends EventTarget {
  static all: HeldWorker[] = []
  readonly asked: { id: number; job: Job }[] = []
  isEnded = false
  constructor() {
    super()
    HeldWorker.all.push(this)
  }
  postMessage(message: { id: number; job: Job }) {
    this.asked.push(message)
  }
  terminate() {
    this.isEnded = true
  }
  /** Says that its file has come. */
  arrive() {
    this.dispatchEvent(new MessageEvent('message', { data: {} }))
  }
  answer(result: JobResult, goesOn = false, { id } = this.asked.at(-1)!) {
    this.dispatchEvent(new MessageEvent('message', { data: { id, result, goesOn } }))
  }
}
