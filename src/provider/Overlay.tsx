'use client'
// Puts toasts and the dialog at the end of the page, after every modal that is open already.
import { type ReactNode, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { standApart } from '../session/platform/browserOverlay.ts'
import { useBeforePaint } from './context.ts'

/** Draws its children at the end of the body, or of the shadow root around it. */
export function Overlay({ children }: { children: ReactNode }): ReactNode {
  const [place, setPlace] = useState<HTMLElement>()
  // React runs effects and their cleanups in this order: the place is in the page before the children's effects run, and is removed after their cleanups.
  return (
    <>
      <Beginning take={setPlace} />
      {place && createPortal(children, place)}
      <End place={place} />
    </>
  )
}

function Beginning({ take }: { take(place: HTMLElement): void }): ReactNode {
  const anchor = useRef<HTMLSpanElement>(null)
  const place = useRef<HTMLElement>(undefined)
  useBeforePaint(() => {
    const root = anchor.current!.getRootNode() as Document | ShadowRoot
    // The same element again after an Activity was hidden.
    place.current ??= standApart(anchor.current!.ownerDocument.createElement('div'))
    ;('body' in root ? root.body : root).append(place.current)
    take(place.current)
  }, [take])
  return <span ref={anchor} hidden />
}

function End({ place }: { place: HTMLElement | undefined }): ReactNode {
  useBeforePaint(() => () => place?.remove(), [place])
  return null
}
