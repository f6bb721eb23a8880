// Scrolls the textarea to a place in its text, which no browser does by itself.
import { countBreaks } from '../lineEnds.ts'

/** Where an offset is drawn: the same text in the same look, laid out beside the textarea for a moment. */
function measure(area: HTMLTextAreaElement, text: string, offset: number): { left: number; top: number } {
  const mirror = area.ownerDocument.createElement('div')
  const mark = area.ownerDocument.createElement('span')
  mirror.className = 'lkje-area'
  mirror.inert = true
  mirror.style.cssText = `position:absolute;visibility:hidden;height:auto;min-height:0;max-height:none;width:${area.clientWidth}px`
  // Where lines are not wrapped, one of them is enough.
  const isWrapped = getComputedStyle(area).whiteSpace !== 'pre'
  const from = isWrapped ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  mirror.append(text.slice(from, offset), mark)
  area.after(mirror)
  const { offsetLeft: left, offsetTop } = mark
  mirror.remove()
  const above = countBreaks(text.slice(0, from)) * Number.parseFloat(getComputedStyle(area).lineHeight)
  return { left, top: above + offsetTop }
}

/** Brings an offset into sight. */
export function reveal(area: HTMLTextAreaElement, text: string, offset: number): void {
  const { left, top } = measure(area, text, offset)
  area.scrollTop = Math.max(0, top - area.clientHeight / 3)
  area.scrollLeft = left < area.clientWidth - 40 ? 0 : left - area.clientWidth / 2
}
