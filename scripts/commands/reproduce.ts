/** `sortfirst reproduce`: the papers' experiments, theirs and ours side by side. */
import { join } from 'node:path'
import { OptionError } from '../../shared/errors.ts'
import { withOutputFolder } from '../files/output-folder.ts'
import { print } from '../files/standard-output.ts'
import { cacheOption, warnOfCache } from '../options/worker-options.ts'
import { PAPERS, type Paper } from '../reproduce/experiment.ts'
import { reproductionPage } from '../reproduce/page.ts'
import { type ReproduceOptions, reproduce as run } from '../reproduce/reproduce.ts'
import { hostText } from '../run/host.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { createProgress } from '../terminal/progress.ts'

export interface RawReproduceOptions {
  readonly scene?: string
  readonly out?: string
  readonly quick?: boolean
  readonly json?: boolean
  readonly cache?: string | boolean
}

const FULL = { size: [960, 540], frames: 20, workers: 8, tile: 32, adjustments: 200 } as const
/** Small, for tests: the same experiments in seconds. */
const QUICK = { size: [160, 90], frames: 3, workers: 2, tile: 16, adjustments: 20 } as const

export async function reproduce(words: readonly string[], raw: RawReproduceOptions): Promise<void> {
  if (raw.out?.trim() === '') throw new OptionError('--out', 'the path of a folder', 'nothing')
  const options: ReproduceOptions = {
    ...(raw.quick ? QUICK : FULL),
    papers: papersOf(words),
    quick: raw.quick === true,
    scene: raw.scene ?? (raw.quick ? 'corner' : 'dragon'),
    cache: cacheOption(raw.cache),
  }
  const out = raw.out ?? join('out', 'reproduce')
  const progress = createProgress(process.stderr)
  await warnOfCache(raw.cache, progress)
  const results = await interruptible(signal =>
    withOutputFolder(out, async folder => {
      const { experiments, ...facts } = await run(options, progress, signal)
      const host = hostText()
      const plain = experiments.map(({ figures: _, ...experiment }) => experiment)
      const kind = { version: 1, quick: raw.quick === true }
      const json = `${JSON.stringify({ ...kind, ...facts, host, experiments: plain }, null, 1)}\n`
      await folder.write('results.json', json)
      await folder.write('index.html', reproductionPage(experiments, { ...kind, ...facts, host }))
      return json
    }),
  )
  await print(raw.json ? results : `${join(out, 'index.html')}\n`)
}

/** All, where none is named. @throws OptionError */
function papersOf(words: readonly string[]): Paper[] {
  const known = Object.keys(PAPERS).sort() as Paper[]
  if (words.length === 0) return known
  for (const word of words)
    if (!known.some(paper => paper === word))
      throw new OptionError('paper', `one or more of ${known.join(', ')}`, `'${word}'`)
  return known.filter(paper => words.includes(paper))
}
