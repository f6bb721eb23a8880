// Keeps a secret out of sight: a wrapper that prints as [redacted] (contract §3).

const REDACTED = '[redacted]'

/** A value that must not be seen by accident: prints, serialises and clones as `[redacted]`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The secret itself. Hand it to the call that needs it, and keep no copy. */
  reveal(): string {
    return this.#value
  }

  /** Always `[redacted]`. */
  toString(): string {
    return REDACTED
  }

  /** Always `[redacted]`: what `JSON.stringify` writes. */
  toJSON(): string {
    return REDACTED
  }

  /** Always `[redacted]`: what `Object.prototype.toString` names it. */
  get [Symbol.toStringTag](): string {
    return REDACTED
  }
}
