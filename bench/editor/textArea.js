// An app without any editor: a textarea, and JSON.parse after a debounce.
import { createElement, useEffect, useState } from 'react'

export function TextArea() {
  const [fault, setFault] = useState('')
  const [box, setBox] = useState(null)
  useEffect(() => {
    if (!box) return undefined
    let timer = 0
    const check = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        try {
          JSON.parse(box.value)
          setFault('')
        } catch (error) {
          setFault(box.value === '' ? '' : String(error))
        }
      }, 166)
    }
    box.addEventListener('input', check)
    return () => {
      clearTimeout(timer)
      box.removeEventListener('input', check)
    }
  }, [box])
  return createElement(
    'label',
    null,
    'Bench',
    createElement('textarea', { ref: setBox, style: { width: '100%', height: 500 } }),
    createElement('p', null, fault),
  )
}
