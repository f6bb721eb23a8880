// What a person does in the editor: a tool, the end of the text, the clipboard.
import { userEvent } from 'vitest/browser'
import { box, button } from './editorParts.ts'

/** Presses a tool as a person does, behind "More" where the line is too short for it. */
export async function pressTool(name: string): Promise<void> {
  if (getComputedStyle(button(name)).visibility === 'hidden') await userEvent.click(button('More'))
  await userEvent.click(button(name))
}

/** Focuses Monaco at the end of its text. */
export async function toTheEnd(): Promise<void> {
  box().focus()
  await userEvent.keyboard('{Control>}{End}{/Control}')
}

/** Pastes as a person does, through the real clipboard event. */
export function paste(target: Element, text: string): void {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}
