import { startEmbeddedPostgres } from '@/server/platform/embeddedPostgres'

/**
 * A program that holds an embedded Postgres in the folder of its argument, as the server does: prints what it got as
 * one JSON line, and stops it on SIGTERM.
 */
const dataDir = process.argv[2]
const { url, origin, pid, place, stop } = await startEmbeddedPostgres({ projectRoot: process.cwd(), dataDir })
console.log(JSON.stringify({ url, origin, pid, root: place.root }))
process.on('SIGTERM', () => void stop().then(() => process.exit(0)))
setInterval(() => {}, 1_000)
