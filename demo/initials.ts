// What stands in for a picture of a person: in the app's menu, and on the server's sign-in page.

/** 'Anna de Vries' → 'AV'. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter((part) => /^\p{Lu}/u.test(part))
    .map((part) => part.charAt(0))
    .join('')
    .slice(0, 2) || name.slice(0, 1).toUpperCase()
