// A worker that answers when a test tells it to.
import type { Job, JobResult } from '../../src/editor/jobs.ts'

/** Stands in for the browser's `Worker`. */
export class HeldWorker extends EventTarget {
  static all: HeldWorker[] = []
  readonly asked: { readonly id: number; readonly job: Job }[] = []
  isEnded = false
  constructor() {
    super()
    HeldWorker.all.push(this)
  }
  postMessage(order: { readonly id: number; readonly job: Job }) {
    this.asked.push(order)
  }
  terminate() {
    this.isEnded = true
  }
  /** Says that its file has come. */
  arrive() {
    this.dispatchEvent(new MessageEvent('message', { data: {} }))
  }
  answer(result: JobResult, order?: { readonly id: number }) {
    this.arrive()
    const { id } = order ?? this.asked.at(-1)!
    this.dispatchEvent(new MessageEvent('message', { data: { id, result } }))
  }
}
