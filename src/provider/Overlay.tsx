'use client'
// Puts toasts and the dialog at the end of the page, after every modal that is open already.
import { type ReactNode, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { standApart } from '../session/platform/browserOverlay.ts'
import { useBeforePaint } from './beforePaint.ts'

/** Draws its children at the end of the body, or of the shadow root around it. */
export function Overlay({ children }: { children: ReactNode }): ReactNode {
  const anchor = useRef<HTMLSpanElement>(null)
  const [place, setPlace] = useState<HTMLElement>()
  useBeforePaint(() => {
    const root = anchor.current!.getRootNode() as Document | ShadowRoot
    const element = anchor.current!.ownerDocument.createElement('div')
    const stop = standApart(element)
    ;('body' in root ? root.body : root).append(element)
    setPlace(element)
    return () => {
      stop()
      element.remove()
    }
  }, [])
  return (
    <>
      <span ref={anchor} hidden />
      {place && createPortal(children, place)}
    </>
  )
}
