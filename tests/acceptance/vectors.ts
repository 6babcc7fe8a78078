/** Vectors of other systems' rules through the real engine, as a command: `npm run vectors -- FILE`. */
import { judge, lineOf, totalsOf } from '../support/vectors/judge'
import { NotVectors, type RawVector, readVectorFile } from '../support/vectors/schema'

const [file, ...more] = process.argv.slice(2)

function vectorsOf(path: string): readonly RawVector[] | null {
  try {
    return readVectorFile(path)
  } catch (error) {
    if (!(error instanceof NotVectors)) throw error
    console.error(error.message)
    return null
  }
}

if (file === undefined || more.length > 0) {
  console.error('usage: npm run vectors -- FILE')
  process.exitCode = 1
} else {
  const vectors = vectorsOf(file)
  const verdicts = (vectors ?? []).map((vector) => {
    const verdict = judge(vector)
    console.log(lineOf(verdict))
    return verdict
  })
  if (vectors) console.log(totalsOf(verdicts))
  if (!vectors || verdicts.some(({ verdict }) => verdict === 'FAIL')) process.exitCode = 1
}
