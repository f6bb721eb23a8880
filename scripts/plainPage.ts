// Compares pages of documentation that scripts write: what only lines up their tables does not count.

/** A page without its padding. */
export const plainPage = (page: string): string =>
  page
    .replaceAll(/ *\| */g, '|')
    .replaceAll(/-{3,}/g, '---')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()
