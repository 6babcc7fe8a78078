/** A fault that changes nothing that can be seen, and why. `reads` is the line as it reads with the fault. */
export interface Equivalent {
  readonly file: string
  readonly reads: string
  readonly why: string
}

export const EQUIVALENT: readonly Equivalent[] = []
