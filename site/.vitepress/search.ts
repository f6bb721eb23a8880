// The search: a page's own words, and those that readers use for its subject, which stand on it in a comment `<!-- search: … -->`.

export const withWords = (markdown: string): string =>
  markdown.replaceAll(/<!-- search: (.*?) -->/g, '\n⟦$1⟧\n')

interface Section {
  id: string
  title: string
  titles: string[]
  text: string
}

/** For MiniSearch, as VitePress makes the index and asks it. VitePress sends these functions to the browser as text. */
export const miniSearch = {
  options: {
    fields: ['words', 'title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    extractField: (section: Section, field: string) => {
      if (field === 'words') return /⟦(.*?)⟧/.exec(section.text)?.[1] ?? ''
      if (field === 'text') return section.text.replace(/⟦.*?⟧/, '')
      return section[field as keyof Section]
    },
  },
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    boost: { words: 10, title: 4, text: 2, titles: 1 },
  },
}
