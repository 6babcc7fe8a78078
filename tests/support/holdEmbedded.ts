import { startEmbeddedPostgres } from '@/server/platform/embeddedPostgres'

/**
 * A program that holds an embedded Postgres in the folder of its argument, as the server does: prints what it got as
 * one JSON line, and stops it on SIGTERM.
 */
const dataDir = process.argv[2]
const { url, origin, pid, place, stop } = await startEmbeddedPostgres({ projectRoot: process.cwd(), dataDir })
// Before the line: whoever reads it may send the signal at once.
process.on('SIGTERM', () => void stop().then(() => process.exit(0)))
console.log(JSON.stringify({ url, origin, pid, root: place.root }))
setInterval(() => {}, 1_000)
