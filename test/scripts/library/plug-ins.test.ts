import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { strategyByName } from '../../../master/strategies/index.ts'
import type { Strategy } from '../../../master/strategies/strategy.ts'
import { connect, startCluster } from '../../../scripts/library/cluster.ts'
import { startMaster } from '../../../scripts/library/master.ts'
import { checkedStrategy, type OwnStrategy } from '../../../scripts/library/plug-ins.ts'
import { loadScene } from '../../../scripts/library/ready-scene.ts'
import { render } from '../../../scripts/library/render.ts'
import { withNames } from '../../../scripts/run/named-strategies.ts'
import { UnknownNameError } from '../../../shared/errors.ts'
import { summarySchema } from '../../../shared/frame/summary.ts'
import { sortfirst } from '../../support/program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)
const small = ['--size', '64x36', '--frames', '2', '--samples', '1', '--workers', '2', '--worker-cores', 'off']

type Changes = Record<string, unknown>
const whole = ({ size: [w, h], workers }: { size: [number, number]; workers: { id: string }[] }) => ({
  tiles: [{ rect: { x: 0, y: 0, w, h }, worker: workers[0]!.id }],
})
const with_ = (changes: Changes) => ({ name: 'mine', plan: whole, ...changes })
const planning = (change: (plan: ReturnType<typeof whole>) => unknown) =>
  with_({ plan: (input: Parameters<typeof whole>[0]) => change(whole(input)) })

describe('a strategy of somebody else', () => {
  it('is known by its name to those who are given it', () => {
    const own = checkedStrategy(with_({ name: 'my-own' }))
    expect(own.summary).toContain('strategy')
    expect(strategyByName('my-own', [own])).toBe(own)
    expect(() => strategyByName('my-own')).toThrow(UnknownNameError)
  })

  let calls = 0
  const faults: [string, unknown, string][] = [
    ['is no object', 7, 'expected an object with a name and plan(), got number'],
    ['has no plan()', { name: 'mine' }, 'expected an object with a name and plan()'],
    ['has no name', with_({ name: undefined }), 'expected a name of 1 to 64'],
    ['has the name of another', with_({ name: 'pbt' }), 'is that of a built-in strategy'],
    ['returns no tiles', planning(() => ({})), 'plan() must return { tiles: [...] }'],
    ['returns tiles without a rect', planning(() => ({ tiles: [{}] })), 'every tile must have a rect'],
    ['leaves pixels out', planning(() => ({ tiles: [] })), 'pixel 0,0 is in no tile'],
    ['gives pixels twice', planning(({ tiles }) => ({ tiles: [...tiles, ...tiles] })), 'are in two tiles'],
    [
      'cuts pixels',
      planning(({ tiles: [t] }) => ({ tiles: [{ ...t, rect: { ...t!.rect, w: 0.5 } }] })),
      'has non-integer edges',
    ],
    ['plans for nobody', planning(({ tiles: [t] }) => ({ tiles: [{ ...t, worker: 'zoe' }] })), "worker 'zoe'"],
    ['steals oddly', planning(plan => ({ ...plan, stealing: 'all' })), "got 'all'"],
    [
      'throws',
      planning(() => {
        throw new Error('oh no')
      }),
      'plan() threw: oh no',
    ],
    ['answers differently', planning(plan => ({ ...plan, decisions: { calls: ++calls } })), 'two plans for one input'],
    ['remembers what JSON cannot hold', planning(plan => ({ ...plan, memory: new Map([[1, 2]]) })), 'plain data'],
    [
      'changes what it is given',
      with_({
        plan: (input: Parameters<typeof whole>[0]) => {
          const plan = whole(input)
          ;(input.workers[0] as { speed?: number }).speed = 9
          return plan
        },
      }),
      'modified its input',
    ],
  ]
  it.each(faults)('is refused when it %s', (_, strategy, words) => {
    expect(() => checkedStrategy(strategy, './mine.js')).toThrow(`./mine.js: `)
    expect(() => checkedStrategy(strategy, './mine.js')).toThrow(words)
  })

  it('is begun by a command, and then runs beside others, live and simulated', async () => {
    const begun = await sortfirst(['new', 'strategy', 'mine.js'], { cwd: folder })
    expect(begun.stdout).toContain('sortfirst compare glass --strategies static-blocks,./mine.js')
    expect(readFileSync(at('mine.js'), 'utf8').split('\n').length).toBeLessThan(26)
    const args = ['compare', 'corner', ...small, '--strategies', 'static-blocks,./mine.js', '--out', 'live', '--json']
    const { stdout, stderr, code } = await sortfirst(args, { cwd: folder })
    expect({ stderr: code === 0 ? '' : stderr, code }).toEqual({ stderr: '', code: 0 })
    const { strategies } = summarySchema.parse(JSON.parse(stdout))
    expect(strategies.map(({ name }) => name)).toEqual(['static-blocks', 'mine'])
    expect(strategies[1]!.frameSha256).toEqual(strategies[0]!.frameSha256)
    const trace = ['--size', '64x36', '--frames', '2', '--samples', '1', '--out', 'simulated', '--json']
    const simulated = await sortfirst(['simulate', 'corner', ...trace, '--strategies', 'pbt,./mine.js'], {
      cwd: folder,
    })
    expect(summarySchema.parse(JSON.parse(simulated.stdout)).strategies[1]!.name).toBe('mine')
    const again = await sortfirst(['new', 'strategy', 'mine.js'], { cwd: folder })
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') })
  })

  it('that is begun in a file of any name is one, and the words to try it are those of a shell', async () => {
    const begun = await sortfirst(['new', 'strategy', "it's ünï.mjs"], { cwd: folder })
    expect(begun.stdout).toContain(String.raw`--strategies static-blocks,'./it'\''s ünï.mjs'`)
    const { default: made } = await import(pathToFileURL(at("it's ünï.mjs")).href)
    expect(checkedStrategy(made, 'mine')).toMatchObject({ name: 'it-s--n-' })
    for (const [taken, name] of [
      ['pbt.js', 'my-pbt'],
      ['all.js', 'my-all'],
      ['ü.js', 'my'],
    ] as const) {
      expect(await sortfirst(['new', 'strategy', taken], { cwd: folder })).toMatchObject({ code: 0 })
      const { default: renamed } = await import(pathToFileURL(at(taken)).href)
      expect(checkedStrategy(renamed, 'mine')).toMatchObject({ name })
    }
    expect(await sortfirst(['new', 'strategy', 'a,b.js'], { cwd: folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a name without commas'),
    })
    for (const none of ['mine.cjs', '.js', 'mine.ts'])
      expect(await sortfirst(['new', 'strategy', none], { cwd: folder })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('a name that ends in .js or .mjs'),
      })
  })

  it('may come from a package', async () => {
    mkdirSync(at('node_modules/rows'), { recursive: true })
    writeFileSync(at('node_modules/rows/package.json'), '{"name":"rows","type":"module","exports":"./index.js"}')
    writeFileSync(
      at('node_modules/rows/index.js'),
      "export default { name: 'rows', plan: ({ size: [w, h], workers }) => ({ tiles: Array.from({ length: h }, (_, y) => ({ rect: { x: 0, y, w, h: 1 }, worker: workers.find(each => each.speed > 0).id })) }) }",
    )
    const args = ['render', 'corner', ...small, '--strategy', 'rows', '--out', 'rows', '--json']
    const { stdout, code } = await sortfirst(args, { cwd: folder })
    expect(code).toBe(0)
    expect(summarySchema.parse(JSON.parse(stdout)).strategies[0]!.name).toBe('rows')
  })

  it.each<[string, string, string[], string]>([
    ['is not there', '', ['./none.js'], './none.js: no such file'],
    ['does not parse', 'export default {', ['./unparsed.js'], './unparsed.js: cannot be loaded'],
    ['exports nothing', 'export const a = 1', ['./nothing.js'], './nothing.js: expected a default export'],
    [
      'runs elsewhere',
      'export default { name: "far", plan: () => ({ tiles: [] }) }',
      ['./far.js', '--master', 'ws://127.0.0.1:1'],
      './far.js',
    ],
    ['breaks a promise', 'export default { name: "far", plan: () => ({ tiles: [] }) }', ['./bad.js'], 'is in no tile'],
  ])('that %s is wrong usage', async (_, text, words, complaint) => {
    if (text) writeFileSync(at(words[0]!), text)
    const { code, stderr } = await sortfirst(['render', 'corner', '--strategy', ...words, '--out', 'bad'], {
      cwd: folder,
    })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(complaint) })
    expect(stderr).not.toContain('    at ')
  })
})

describe('the strategies of a program', () => {
  /** Cuts frames into so many rows. */
  const rows = (count: number): OwnStrategy => ({
    name: 'rows',
    plan: ({ size: [w, h], workers }) => ({
      tiles: Array.from({ length: Math.min(count, h) }, (_, y) => ({
        rect: { x: 0, y, w, h: y < count - 1 ? 1 : h - y },
        worker: workers[0]!.id,
      })),
    }),
  })

  it('are those of one rendering, also beside others of the same name', async () => {
    const cluster = await startCluster({ threads: 1, cache: false })
    try {
      const scene = await loadScene('corner')
      const small = { size: [64, 36], samples: 1, frames: 2, cluster } as const
      const tilesOf = async (strategy: string | OwnStrategy): Promise<number[]> => {
        const counts: number[] = []
        for await (const { report } of render(scene, { ...small, strategy })) counts.push(report.tiles.length)
        return counts
      }
      expect(await Promise.all([tilesOf(rows(3)), tilesOf(rows(5))])).toEqual([
        [3, 3],
        [5, 5],
      ])
      await expect(tilesOf('rows')).rejects.toThrow(UnknownNameError)
    } finally {
      await cluster.close()
    }
  })

  it('are refused by a master elsewhere', async () => {
    const master = await startMaster({ listen: '127.0.0.1:0' })
    const cluster = await connect(master.url)
    try {
      const frames = render('corner', { size: [64, 36], strategy: rows(3), cluster })
      await expect(frames.next()).rejects.toThrow("render: strategy 'rows' is defined in this program, but the cluster")
    } finally {
      await cluster.close()
      await master.close()
    }
  })
})

describe('modules on the command line', () => {
  const moduleOf = (name: string, text: string): string => {
    writeFileSync(at(name), `export default ${text}`)
    return at(name)
  }
  const strategyNamed = (file: string, name: string): string =>
    moduleOf(
      file,
      `{ name: '${name}', plan: ({ size: [w, h], workers }) => ({ tiles: [{ rect: { x: 0, y: 0, w, h }, worker: workers[0].id }] }) }`,
    )

  it('are replaced by names, and loaded once', async () => {
    const file = strategyNamed('loaded.mjs', 'loaded')
    const { given, plugIns } = await withNames({ strategies: `pbt, ${file},${file}`, workers: 2 })
    expect(given).toEqual({ strategies: 'pbt,loaded,loaded', workers: 2 })
    expect(plugIns.strategies?.map(({ name }: Strategy) => name)).toEqual(['loaded'])
    expect(plugIns.predictors).toEqual([])
  })

  it('may not have strategies of the same name', async () => {
    const [first, second] = [strategyNamed('first.mjs', 'twin'), strategyNamed('second.mjs', 'twin')]
    await expect(withNames({ strategies: `${first},pbt,${second}` })).rejects.toThrow(
      `--strategies: expected modules with different names, got 'twin' from both ${first} and ${second}`,
    )
  })
})

/** A comparison with the predictor of a file of this name. */
const predictedBy = (name: string) => {
  const predictor = ['--strategies', 'predictive', '--predictor', `./${name}.js`]
  return sortfirst(['compare', 'corner', ...small, ...predictor, '--out', name], { cwd: folder })
}

describe('a predictor of somebody else', () => {
  it('is begun by a command, and predicts', async () => {
    await sortfirst(['new', 'predictor', 'mean.js'], { cwd: folder })
    const { code, stderr } = await predictedBy('mean')
    expect({ stderr: code === 0 ? '' : stderr, code }).toEqual({ stderr: '', code: 0 })
  })

  it.each([
    ['compare', small],
    ['simulate', ['--size', '64x36', '--frames', '2', '--samples', '1', '--workers', '2']],
  ])('is asked by %s', async (command, words) => {
    writeFileSync(
      at('asked.js'),
      `export default {
        name: 'asked',
        predict([newest]) {
          // More cells than those of the trial.
          if (newest?.costs.costs.length > 8) throw new Error('asked')
          return newest?.costs
        },
      }`,
    )
    const predictor = [
      '--strategies',
      'predictive',
      '--no-probe',
      '--predictor',
      './asked.js',
      '--out',
      `asked-${command}`,
    ]
    const { stderr } = await sortfirst([command, 'corner', ...words, ...predictor], { cwd: folder })
    expect(stderr).toContain('./asked.js: predict() threw: asked')
  })

  it('is refused when it returns no map', async () => {
    writeFileSync(at('none.js'), 'export default { name: "none", predict: () => undefined }')
    const { code, stderr } = await predictedBy('none')
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('must return a cost map') })
  })
})
