// The mark and the name of the pretend product.

export function Brand() {
  return (
    <span className="brand">
      <Mark />
      Deskwell
    </span>
  )
}

export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="9" className="brand-ground" />
      <path d="M9 8h7a8 8 0 0 1 0 16H9z" className="brand-sign" />
    </svg>
  )
}
