// An id that nobody reads in full: its beginning, and the whole of it for the clipboard.
import { useState } from 'react'
import { IconButton, type IconButtonProps } from './Button.tsx'

export function LongId({ of, value }: { of: string; value: string }) {
  return (
    <span className="long-id">
      <code title={value}>{value.slice(0, 8)}…</code>
      <CopyButton size={16} label={`Copy the id of the ${of}`} text={value} />
    </span>
  )
}

/** Where the browser denies it, nothing happens: the text is on the page or in a tooltip. */
export function CopyButton({ text, ...button }: Omit<IconButtonProps, 'icon'> & { text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    )
  return (
    <>
      <IconButton
        {...button}
        icon={isCopied ? 'check' : 'copy'}
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      />
      <span className="hidden" role="status">
        {isCopied && 'Copied'}
      </span>
    </>
  )
}
