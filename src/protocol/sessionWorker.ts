// How the SharedWorker that holds a session between two pages is made.

/** What `sessionWorker` makes its SharedWorker with. */
export interface SessionWorkerOptions {
  /** Of the worker: another version of latchkey gets another one. */
  readonly name: string
  /** The script is a module. */
  readonly type: 'module'
  /** The worker lives on for a moment when its last page has gone. */
  readonly extendedLifetime: true
}
