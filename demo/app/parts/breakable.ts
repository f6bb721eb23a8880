// Addresses that break where a reader expects it, after a slash or before an @, and not inside a word.
import { createElement, Fragment, type ReactNode } from 'react'

export function breakable(text: ReactNode): ReactNode {
  if (typeof text !== 'string') return text
  const parts = text.split(/(?<=\w\/)|(?=@)/)
  return createElement(
    Fragment,
    null,
    ...parts.flatMap((part, index) => (index > 0 ? [createElement('wbr'), part] : part)),
  )
}
