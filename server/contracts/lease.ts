/** The right to write, as it stands in the database (design.md §4). */
export interface Lease {
  /** Grows with each holder; every writing transaction begins with it. */
  readonly epoch: number
  /** application_name of the holder's connections. */
  readonly holder: string
  /** Where the holder answers. */
  readonly url: string
  /** Grows each second while the holder lives; negative when it gave the lease back. */
  readonly beat: number
}

/** Who asks for the lease. */
export type Candidate = Pick<Lease, 'holder' | 'url'>

/** The lease is another's: this server must not write any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
