// Wraps a secret so that it prints as [redacted].

const REDACTED = '[redacted]'

/** A secret that cannot be shown by accident: it prints and serialises as `[redacted]`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** Returns the secret. Pass it to the call that needs it and keep no copy. */
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
