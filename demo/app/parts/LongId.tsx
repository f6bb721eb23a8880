// An id that nobody reads in full: its beginning, and the whole of it for the clipboard.
import { useState } from 'react'
import { IconButton } from './Button.tsx'

export function LongId({ of, value }: { of: string; value: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setIsCopied(true)
    } catch {
      // The browser denies it: the whole id is in the tooltip.
    }
  }
  return (
    <span className="long-id">
      <code title={value}>{value.slice(0, 8)}…</code>
      <IconButton
        icon={isCopied ? 'check' : 'copy'}
        size={16}
        label={`Copy the id of the ${of}`}
        onClick={() => void copy()}
        onBlur={() => setIsCopied(false)}
      />
      <span className="hidden" role="status">
        {isCopied && 'Copied'}
      </span>
    </span>
  )
}
