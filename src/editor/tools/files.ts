// Copies the text to the clipboard, downloads it, and reads files.
import { OPEN_LIMIT_BYTES } from '../limits.ts'

/** Copies with the window of `field`: no other one has the focus, which the clipboard requires. */
export async function copyText(text: string, field: Element | undefined): Promise<boolean> {
  try {
    await (field?.ownerDocument.defaultView ?? window).navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

export function downloadText(text: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads the URL after the click event.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

export function pickFile(page: Document, onFile: (file: File) => void): void {
  const input = page.createElement('input')
  input.type = 'file'
  input.accept = '.json,.jsonc,.jsonl,.ndjson,.geojson,.webmanifest,.txt,application/json,text/plain'
  input.addEventListener('change', () => {
    if (input.files?.[0]) onFile(input.files[0])
  })
  input.click()
}

/** The encoding by the first bytes; UTF-8 by default. */
function findEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes
  // Without a byte order mark: JSON begins with an ASCII character, so one of its two bytes is 0.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && (second ?? 0) !== 0)) return 'utf-16be'
  return 'utf-8'
}

/** Reads a text file without changing a character; invalid bytes are refused, not replaced. */
export async function readFile(
  file: Blob,
): Promise<{ readonly text: string } | { readonly refused: 'notText' | 'fileTooLarge' | 'cannotRead' }> {
  if (file.size > OPEN_LIMIT_BYTES) return { refused: 'fileTooLarge' }
  const bytes = await file.arrayBuffer().catch(() => {})
  if (!bytes) return { refused: 'cannotRead' }
  const encoding = findEncoding(new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength)))
  try {
    return { text: new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === 'utf-8' }).decode(bytes) }
  } catch {
    return { refused: 'notText' }
  }
}
