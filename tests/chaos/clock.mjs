// A wall clock that can be set, in a server under test: `node --import` loads it before anything else. The offset in ms
// stands in the file of CHAOS_CLOCK and is read anew every 200 ms.
import { readFileSync } from 'node:fs'

const file = process.env.CHAOS_CLOCK
const now = Date.now
let offset = 0
let readAt = Number.NEGATIVE_INFINITY

function offsetNow() {
  const at = performance.now()
  if (at - readAt < 200) return offset
  readAt = at
  try {
    offset = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    // It is just being written.
  }
  return offset
}

if (file) Date.now = () => now() + offsetNow()
