/** `sortfirst new`: a template for a custom strategy or predictor. */
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { predictors } from '../../master/costs/predictors/index.ts'
import { strategies } from '../../master/strategies/index.ts'
import { messageOf, OptionError, UsageError } from '../../shared/errors.ts'
import { print } from '../files/standard-output.ts'
import { shellWord } from '../terminal/shell-word.ts'

/** The file cannot be written, or already exists. */
export class NewFileError extends UsageError {
  readonly code = 'CANNOT_BEGIN'
}

export const newStrategy = (file: string): Promise<void> =>
  begin(file, strategyTemplate, word => `sortfirst compare glass --strategies static-blocks,${word}`)

export const newPredictor = (file: string): Promise<void> =>
  begin(file, predictorTemplate, word => `sortfirst compare glass --strategies predictive --predictor ${word}`)

const LONGEST_NAME = 64

async function begin(file: string, template: (name: string) => string, trial: (word: string) => string): Promise<void> {
  const [, stem] = /^(.+)\.m?js$/.exec(basename(file)) ?? []
  if (stem === undefined) throw new OptionError('file', 'a name that ends in .js or .mjs, such as mine.js', `'${file}'`)
  // In lists of strategies.
  if (file.includes(',')) throw new OptionError('file', 'a name without commas', `'${file}'`)
  try {
    await writeFile(file, template(nameOf(stem)), { flag: 'wx' })
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === 'EEXIST'
        ? 'already exists; choose another name'
        : `cannot be written (${messageOf(error)})`
    throw new NewFileError(`${file}: ${why}`)
  }
  const word = /^\.{0,2}[/\\]/.test(file) ? file : `./${file}`
  await print(`wrote ${file}; try it: ${trial(shellWord(word))}\n`)
}

/** Of strategies and predictors, names are written in command lines and paths; those that are taken mean something else. */
function nameOf(stem: string): string {
  const name = stem.replaceAll(/[^\w.-]/g, '-').slice(0, LONGEST_NAME)
  const isTaken = [...strategies, ...predictors].some(each => each.name === name) || name === 'all' || !/\w/.test(name)
  return isTaken ? `my-${name}`.replace(/-+$/, '') : name
}

const strategyTemplate = (
  name: string,
): string => `// A strategy decides which worker traces which pixels of a frame. Documented in master/strategies/WRITING.md of sortfirst.
/** @type {import('sortfirst').Strategy} */
export default {
  name: '${name}',
  summary: 'one column per worker, with a width in proportion to its speed',
  plan({ size: [width, height], workers, previous }) {
    // previous?.tiles has the times of the last frame's tiles: { rect, worker, cpuMs }. This example does not use them.
    const fast = workers.filter(({ speed }) => speed > 0)
    const total = fast.reduce((sum, { speed }) => sum + speed, 0)
    let [x, share] = [0, 0]
    const columns = fast.map(({ id, speed }) => {
      const from = x
      x = Math.round((width * (share += speed)) / total)
      return { rect: { x: from, y: 0, w: x - from, h: height }, worker: id }
    })
    // Every pixel must be in exactly one tile, and no tile may be empty.
    return { tiles: columns.filter(({ rect }) => rect.w > 0) }
  },
}
`

const predictorTemplate = (
  name: string,
): string => `// A predictor estimates what the cells of the next frame will cost. Documented in master/strategies/WRITING.md of sortfirst.
/** @type {import('sortfirst').CostPredictor} */
export default {
  name: '${name}',
  summary: 'the mean of the newest two frames',
  // history: the newest frame first, each { camera, costs }; costs.costs is ms per cell, row by row. camera: the next frame's.
  predict([newest, before], camera) {
    if (!newest || !before) return newest?.costs
    return newest.costs.withCosts(cell => (newest.costs.costs[cell] + before.costs.costs[cell]) / 2)
  },
}
`
