// What a link that skips a part of the page does: the keyboard goes on behind it.

/** Not by the address: a hash of our own would become part of the user's deep link. */
export function skipTo(event: { preventDefault(): void }, target: HTMLElement | null) {
  event.preventDefault()
  target?.focus()
}
