// A worker that answers when a test tells it to.
import type { JobResult, WorkerOrder } from '../../src/editor/jobs.ts'

/** Stands in for the browser's `Worker`. */
export class HeldWorker extends EventTarget {
  static all: HeldWorker[] = []
  readonly asked: WorkerOrder[] = []
  isEnded = false
  constructor() {
    super()
    HeldWorker.all.push(this)
  }
  postMessage(message: WorkerOrder) {
    this.asked.push(message)
  }
  terminate() {
    this.isEnded = true
  }
  /** Says that its file has come. */
  arrive() {
    this.dispatchEvent(new MessageEvent('message', { data: {} }))
  }
  answer(result: JobResult, { id } = this.asked.at(-1)!) {
    this.dispatchEvent(new MessageEvent('message', { data: { id, result } }))
  }
}
