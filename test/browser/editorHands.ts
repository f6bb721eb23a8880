// User actions in the editor: a tool, the end of the text, the clipboard.
import { userEvent } from 'vitest/browser'
import { box, button } from './editorParts.ts'

/** Shows the tools of a group. */
export const openGroup = (name: 'Format' | 'More') => userEvent.click(button(`${name} ▾`))

/** Presses a tool with real input, opening its group first. */
export async function pressTool(name: string): Promise<void> {
  const isFormatting = ['Format', 'Compact', 'Sort keys', 'Repair'].includes(name)
  if (!button(name)) await openGroup(isFormatting ? 'Format' : 'More')
  await userEvent.click(button(name))
}

/** Focuses Monaco at the end of its text. */
export async function toTheEnd(): Promise<void> {
  box().focus()
  await userEvent.keyboard('{Control>}{End}{/Control}')
}

/** Pastes through the real clipboard event. */
export function paste(target: Element, text: string): void {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}
