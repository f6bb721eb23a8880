// A file that comes when it is first used, and is at hand at once for the next editor of the page.
export function createLaterFile<Exports>(load: () => Promise<Exports>) {
  let arrived: Exports | undefined
  return {
    /** Its exports, once they have come. */
    arrived: (): Exports | undefined => arrived,
    load: async (): Promise<Exports> => (arrived ??= await load()),
  }
}
