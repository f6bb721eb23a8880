// How a changeset becomes a line of CHANGELOG.md: its own words, without the hash of a commit that no user looks up.

/** @param {{ summary: string }} changeset */
export async function getReleaseLine({ summary }) {
  return `- ${summary.trim().replaceAll('\n', '\n  ')}`
}

/** One package: nothing here depends on another one of ours. */
export async function getDependencyReleaseLine() {
  return ''
}
