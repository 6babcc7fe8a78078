/**
 * Tidemark cannot start, or cannot go on, for a reason that the person at the terminal can mend: `message` says
 * what is wrong, `mend` what to do. It is shown as it is, without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly mend: string

  constructor(message: string, mend: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.mend = mend
  }

  /** Both parts, for a terminal. */
  get text(): string {
    return `✗ ${this.message}\n  ${this.mend.replaceAll('\n', '\n  ')}`
  }
}
