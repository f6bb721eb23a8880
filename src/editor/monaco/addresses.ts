// The addresses of documents in Monaco. They are used again: Monaco keeps a little for each that ever had a fault, for ever.
import type { Uri } from 'monaco-editor/editor'
import type { Monaco } from './monacoModule.ts'

/** Those of documents that are gone. */
const free: Uri[] = []

export function takeAddress(monaco: Monaco): Uri {
  const name = () => crypto.getRandomValues(new Uint32Array(2)).join('')
  return free.pop() ?? monaco.Uri.parse(`inmemory://latchkey/${name()}.json`)
}

/** Nothing may stand at this address any more. */
export function giveAddressBack(address: Uri): void {
  if (!free.includes(address)) free.push(address)
}
