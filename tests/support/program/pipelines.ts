import fc from 'fast-check'
import { Happenings } from './happenings'
import type { Program } from './items'
import { punctuated, rawSettings, specOf } from './settings'
import { shape } from './shapes'
import { step } from './steps'

/** A program over a pipeline of any shape, with all that can happen to one. */
export interface PipelineProgram extends Program {
  readonly shape: string
}

/** Random programs of up to `most` steps: all strategies, kinds of views, commands and changes. */
export function pipelineProgram(most: number, least = 0): fc.Arbitrary<PipelineProgram> {
  return fc
    .record({
      shape,
      settings: rawSettings,
      cutPercent: fc.constantFrom(100, 50, 50, 10),
      history: fc.option(
        fc.record({
          source: fc.constantFrom('a', 'a', 'b'),
          from: fc.nat(600),
          length: fc.integer({ min: 300, max: 1_200 }),
        }),
        { freq: 2 },
      ),
      ends: fc.nat(3).map((n) => n === 0),
      steps: fc.array(step, { minLength: least, maxLength: most, size: 'max' }),
    })
    .map((p) => {
      const { scale, start, name } = p.shape
      const history = p.history && { ...p.history, to: p.history.from + p.history.length }
      const happenings = new Happenings(start, scale, punctuated(p.settings), history)
      for (const each of p.steps) happenings.take(each, p.cutPercent)
      const { items, cuts } = happenings
      const at = items.at(-1)?.at ?? start
      if (p.ends) items.push({ kind: 'end', at })
      return { shape: name, spec: specOf(p.settings, p.shape), items, cuts, start }
    })
}
