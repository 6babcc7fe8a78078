/**
 * One measurement in a process of its own, so that no other has warmed, shaped or filled its heap; engine.ts runs it.
 * Arguments: `speed CASE SUBJECT PASSES LANES` or `memory SIZE SUBJECT PASSES`. The figures are printed as JSON.
 */
import { LIVE_IDS, MEMORY_MINUTES, MEMORY_SPEC, SPEED, SPEED_MINUTES, USERS } from './engineCases'
import { measureMemory } from './engineMemory'
import { measureSpeed } from './engineSpeed'
import { SUBJECTS, type SubjectName } from './engineSubjects'
import { deliver, makeOrders } from './workload'

const [kind, what = '', subjectName, passes, lanes] = process.argv.slice(2)
const subject = SUBJECTS[subjectName as SubjectName]

function speed() {
  const { spec } = SPEED[what] ?? {}
  if (!spec) throw new RangeError(`no case ${what}`)
  const orders = makeOrders(SPEED_MINUTES, USERS)
  const deliveries = deliver(orders, 500, lanes === 'own' ? 'own' : 'mixed')
  return measureSpeed(subject(spec, orders, deliveries), deliveries.length * 500, Number(passes))
}

function memory() {
  const orders = makeOrders(MEMORY_MINUTES, USERS)
  const deliveries = deliver(orders, Number(what))
  return measureMemory(subject(MEMORY_SPEC, orders, deliveries), LIVE_IDS, Number(passes))
}

console.log(JSON.stringify(kind === 'memory' ? await memory() : speed()))
