/** The limits of one request and one event (design.md §3). Each is named in the error that it causes. */
export const LIMITS = {
  eventsPerRequest: 5_000,
  bodyBytes: 4 * 1024 * 1024,
  eventBytes: 16 * 1024,
  idChars: 128,
  dimensions: 8,
  dimensionNameChars: 64,
  dimensionValueChars: 128,
  sourceChars: 64,
} as const

/** What a source may be called: it stands in URLs, in tables and in sentences. */
export const SOURCE_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/
