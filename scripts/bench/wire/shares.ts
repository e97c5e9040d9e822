/** What a master spends its time on, from a profile of V8: the innermost function that has a meaning here says it. */
import type { Profiler } from 'node:inspector'

/** The names of functions that mean something. */
const MEANINGS: Readonly<Record<string, string>> = {
  decodeTile: 'unpacking',
  decodeBinary: 'reading',
  unpackCells: 'costs',
  intake: 'costs',
  learn: 'costs',
  outcome: 'costs',
  decide: 'planning',
  happened: 'scheduling',
  stitch: 'placing',
  sha256Steps: 'hashing',
  encodeAside: 'packing',
  packReport: 'report',
  reportOf: 'report',
  sendBinary: 'sending',
  sendFrame: 'sending',
  writevGeneric: 'sending',
  writeGeneric: 'sending',
  afterWriteDispatched: 'sending',
  onStreamRead: 'receiving',
  concat: 'receiving',
  '(garbage collector)': 'garbage collector',
  '(program)': 'native',
}

const REST = 'other'

/** Shares of the time that it was not idle, the largest first. */
export function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Record<string, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id] as const)))
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName.replace(/^.*\./, '')]))
  const spent = new Map<string, number>()
  samples.forEach((sample, i) => {
    if (names.get(sample) === '(idle)') return
    let meaning: string | undefined
    for (let id: number | undefined = sample; id !== undefined && !meaning; id = parents.get(id))
      meaning = MEANINGS[names.get(id)!]
    spent.set(meaning ?? REST, (spent.get(meaning ?? REST) ?? 0) + timeDeltas[i]!)
  })
  const total = [...spent.values()].reduce((sum, each) => sum + each, 0) || 1
  const sorted = [...spent].sort(([, a], [, b]) => b - a)
  return Object.fromEntries(sorted.map(([meaning, each]) => [meaning, Math.round((1000 * each) / total) / 1000]))
}
