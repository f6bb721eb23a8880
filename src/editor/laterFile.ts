// A file that comes when it is first used, and is at hand at once for the next editor of the page.

export interface LaterFile<Exports> {
  /** Its exports, once they have come. */
  arrived(): Exports | undefined
  load(): Promise<Exports>
}

export function createLaterFile<Exports>(load: () => Promise<Exports>): LaterFile<Exports> {
  let arrived: Exports | undefined
  return {
    arrived: () => arrived,
    load: async () => (arrived ??= await load()),
  }
}
