/** A part of the engine's state as bytes; `hash` is the SHA-256 of them, in hex. */
export interface HashedSegment {
  readonly name: string
  readonly hash: string
  readonly bytes: Uint8Array
}

/** A state of the engine as of a position whose results are committed. */
export interface StoredSnapshot {
  readonly position: number
  /** Journal time there, ms. */
  readonly at: number
  readonly rulesVersion: number
  readonly format: number
  /** Names and hashes in order. */
  readonly segments: readonly Pick<HashedSegment, 'name' | 'hash'>[]
}
