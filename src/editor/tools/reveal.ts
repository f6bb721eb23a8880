// Scrolls to a place in the text: browsers do not scroll a textarea to its selection.
import type { EditorState } from '../editorState.ts'

/** The position of an offset on the screen, measured in a temporary copy of the text beside the textarea. */
function measure(area: HTMLTextAreaElement, text: string, offset: number): { left: number; top: number } {
  const mirror = area.ownerDocument.createElement('div')
  const mark = area.ownerDocument.createElement('span')
  mirror.className = 'lkje-area'
  mirror.inert = true
  mirror.style.cssText = `position:absolute;visibility:hidden;height:auto;min-height:0;max-height:none;width:${area.clientWidth}px`
  // Without wrapping, the line of the offset is enough.
  const isWrapped = getComputedStyle(area).whiteSpace !== 'pre'
  const from = isWrapped ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  mirror.append(text.slice(from, offset), mark)
  area.after(mirror)
  const { offsetLeft: left, offsetTop } = mark
  mirror.remove()
  const above =
    (text.slice(0, from).split('\n').length - 1) * Number.parseFloat(getComputedStyle(area).lineHeight)
  return { left, top: above + offsetTop }
}

/** Selects a range and scrolls it into view. */
export function reveal(state: EditorState, start: number, end: number): void {
  const surface = state.surface()
  surface?.select(start, end)
  const area = surface?.area
  if (!area) return
  const { left, top } = measure(area, surface.read(), start)
  area.scrollTop = Math.max(0, top - area.clientHeight / 3)
  area.scrollLeft = left < area.clientWidth - 40 ? 0 : left - area.clientWidth / 2
}
