/** `npm run bench`: both benchmarks, one after the other, since two would disturb each other. */
await import('./ingest')
await import('./engine')

export {}
