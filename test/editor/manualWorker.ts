// A worker that responds when a test calls it.
import type { Job, JobResult } from '../../src/editor/jobs.ts'

/** Replaces the browser's `Worker`. */
export class ManualWorker extends EventTarget {
  static all: ManualWorker[] = []
  readonly asked: { readonly id: number; readonly job: Job }[] = []
  isEnded = false
  constructor() {
    super()
    ManualWorker.all.push(this)
  }
  postMessage(order: { readonly id: number; readonly job: Job }) {
    this.asked.push(order)
  }
  terminate() {
    this.isEnded = true
  }
  /** Reports that the worker has started. */
  arrive() {
    this.dispatchEvent(new MessageEvent('message', { data: {} }))
  }
  answer(result: JobResult, order?: { readonly id: number }) {
    this.arrive()
    const { id } = order ?? this.asked.at(-1)!
    this.dispatchEvent(new MessageEvent('message', { data: { id, result } }))
  }
}
