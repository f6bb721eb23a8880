'use client'
// Puts toasts and the dialog at the end of the page, after every modal that is open already.
import { type ReactNode, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { standApart } from '../session/platform/browserOverlay.ts'
import { useBeforePaint } from './beforePaint.ts'

/** Draws its children at the end of the body, or of the shadow root around it. */
export function Overlay({ children }: { children: ReactNode }): ReactNode {
  const [place, setPlace] = useState<HTMLElement>()
  return (
    <>
      {place && createPortal(children, place)}
      {/* Last: React ends the children's effects first, and a dialog that closes returns the focus only while it is in the page. */}
      <Place take={setPlace} />
    </>
  )
}

function Place({ take }: { take(place: HTMLElement): void }): ReactNode {
  const anchor = useRef<HTMLSpanElement>(null)
  useBeforePaint(() => {
    const root = anchor.current!.getRootNode() as Document | ShadowRoot
    const element = anchor.current!.ownerDocument.createElement('div')
    const stop = standApart(element)
    ;('body' in root ? root.body : root).append(element)
    take(element)
    return () => {
      stop()
      element.remove()
    }
  }, [take])
  return <span ref={anchor} hidden />
}
