/** The commands, typed as a user would, and what they leave behind. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { strategies, strategyNames } from '../../master/strategies/index.ts'
import { BUILT_IN_SCENES } from '../../scenes/index.ts'
import { createBenches } from '../../scripts/bench/commands/program.ts'
import { helpWords } from '../../scripts/help.ts'
import { flagOf, parseStrategies } from '../../scripts/options/strategies.ts'
import { createProgram } from '../../scripts/program.ts'
import type { TraceEvent } from '../../scripts/report/chrome-trace.ts'
import { summarySchema } from '../../shared/frame/summary.ts'
import { DEFAULT_STRATEGY } from '../../shared/session/default-strategy.ts'
import { type StrategyOptions, strategyOptionsSchema } from '../../shared/session/strategy-options.ts'
import { PREDICTOR_NAMES, SCATTER_UNITS } from '../../shared/session/strategy-words.ts'
import { engineNames } from '../../worker/node/engines.ts'
import { expectSentence } from '../support/complaint.ts'
import { sortfirst } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const mesh = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const picture = ['--size', '96x54', '--samples', '1', '--ambient-rays', '1', '--frames', '3']

describe('compare', () => {
  const out = join(folder, 'compare')

  it('renders the same frames with every strategy and leaves a report', async () => {
    const run = await sortfirst([
      'compare',
      mesh,
      ...picture,
      '--strategies',
      strategyNames.join(','),
      '--workers',
      '3',
      '--out',
      out,
    ])
    expect(run.code, run.stderr).toBe(0)
    expect(run.stdout).toContain(`All 3 frames are byte-identical across the ${strategyNames.length} strategies`)
    expect(run.stdout.trim().split('\n').at(-1)).toBe(`report: ${join(out, 'report.html')}`)
    // A machine with cores enough runs three workers freely; both answers are said.
    expect(run.stderr).toMatch(/3 workers on \d+ cores?, (each limited to [\d.]+ of a core|unpaced)/)
    expect(readdirSync(out).sort()).toEqual(
      ['compare.json', 'frame-times.png', 'frames.csv', 'report.html', 'summary.json', ...strategyNames].sort(),
    )
    for (const name of strategyNames) {
      const files = readdirSync(join(out, name)).filter(file => file !== 'tiles.webp')
      expect(files.sort()).toEqual(['0000.png', '0001.png', '0002.png', 'run-1.json', 'tiles-0002.png'])
    }
    const filmed = strategyNames.filter(name => existsSync(join(out, name, 'tiles.webp')))
    expect(filmed).toHaveLength(Math.min(4, strategyNames.length))
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('One frame, worker by worker')
    const summary = summarySchema.parse(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')))
    expect(summary.strategies.map(strategy => strategy.name)).toEqual(strategyNames)
    expect(new Set(summary.strategies.map(strategy => strategy.frameSha256.join())).size).toBe(1)
    expect(summary.workers.map(worker => worker.name)).toEqual(['worker-1', 'worker-2', 'worker-3'])
    expect(readFileSync(join(out, 'frames.csv'), 'utf8').trim().split('\n')).toHaveLength(1 + 3 * strategyNames.length)
  })

  it('takes all strategies at once, and traces every span', async () => {
    const place = join(folder, 'all')
    const trace = join(folder, 'traces', 'all.json')
    const args = ['compare', mesh, ...picture, '--strategies', 'all', '--workers', '2', '--out', place]
    const run = await sortfirst([...args, '--trace', trace, '--json'])
    expect(run.code, run.stderr).toBe(0)
    const names = summarySchema.parse(JSON.parse(run.stdout)).strategies.map(strategy => strategy.name)
    expect(names).toEqual(parseStrategies('all').map(strategy => strategy.name))
    const { traceEvents } = JSON.parse(readFileSync(trace, 'utf8')) as { traceEvents: TraceEvent[] }
    const processes = traceEvents.filter(({ name }) => name === 'process_name')
    expect(processes.map(({ args }) => 'name' in args && args.name)).toEqual(names)
    const frames = traceEvents.filter(event => event.ph === 'X' && event.cat === 'frame')
    expect(frames).toHaveLength(3 * names.length)
    expect(readdirSync(join(folder, 'traces'))).toEqual(['all.json'])
  })

  it('renders in rounds, which count together', async () => {
    const place = join(folder, 'rounds')
    const args = ['compare', mesh, ...picture, '--strategies', 'static-blocks,pbt', '--workers', '2', '--out', place]
    const run = await sortfirst([...args, '--repeat', '3', '--json'])
    expect(run.code, run.stderr).toBe(0)
    const turns = [...run.stderr.matchAll(/^(\S+): strategy \d of 2, round (\d) of 3$/gm)]
    expect(turns.map(([, name, round]) => `${name} ${round}`)).toEqual([
      ...['static-blocks 1', 'pbt 1', 'static-blocks 2', 'pbt 2', 'static-blocks 3', 'pbt 3'],
    ])
    const summary = summarySchema.parse(JSON.parse(run.stdout))
    expect(summary).toMatchObject({ repeats: 3, frames: 3 })
    for (const warning of summary.warnings) expect(run.stderr).toContain(`warning: ${warning}\n`)
    for (const { frameMs, epsilon, rounds, frames } of summary.strategies) {
      expect(rounds!.map(round => round.frameMs.length)).toEqual([3, 3, 3])
      expect(rounds![0]!.frameMs).toEqual(frames.map(frame => frame.frameMs))
      for (const { mean, ci95 } of [frameMs, epsilon]) {
        expect(ci95![0]).toBeLessThanOrEqual(mean)
        expect(ci95![1]).toBeGreaterThanOrEqual(mean)
      }
    }
    expect(summary.strategies[1]!.speedUp).toMatchObject({ over: 'static-blocks', ci95: expect.any(Array) })
    expect(readFileSync(join(place, 'frames.csv'), 'utf8').trim().split('\n')).toHaveLength(1 + 3 * 2)
  })

  it('prints one JSON document and nothing else when asked to, and paces as told', async () => {
    const args = ['compare', mesh, ...picture, '--strategies', 'pbt', '--workers', '2', '--worker-cores', '0.3,0.15']
    const run = await sortfirst([...args, '--out', join(folder, 'json'), '--json'], {
      env: { SORTFIRST_CLOCK: 'wall' },
    })
    const summary = summarySchema.parse(JSON.parse(run.stdout))
    expect(summary.pacing).toEqual([0.3, 0.15])
    expect(summary.workers.map(worker => worker.speed)).toEqual([1, 0.5])
    expect(summary.strategies[0]?.epsilon.clock).toBe('wall')
    // Paced to a share, no tile is there before its CPU time over the share has passed.
    for (const { tiles, frameMs } of summary.strategies[0]!.frames) {
      for (const tile of tiles) {
        const share = tile.worker === summary.workers[0]?.id ? 0.3 : 0.15
        expect(frameMs).toBeGreaterThanOrEqual((tile.cpuMs / share) * 0.98)
      }
    }
  })
})

describe('render', () => {
  it('leaves frames, numbers and a trace', async () => {
    const out = join(folder, 'render')
    const run = await sortfirst(['render', mesh, ...picture, '--workers', '1', '--out', out], {
      env: { SORTFIRST_TRACE: join(out, 'trace.json'), SORTFIRST_STRATEGY: 'frozen' },
    })
    expect(run.code, run.stderr).toBe(0)
    expect(readdirSync(out).sort()).toEqual(
      ['0000.png', '0001.png', '0002.png', 'frames.csv', 'render.json', 'summary.json', 'trace.json'].sort(),
    )
    const { traceEvents } = JSON.parse(readFileSync(join(out, 'trace.json'), 'utf8')) as { traceEvents: TraceEvent[] }
    expect(traceEvents.filter(({ name }) => name === 'render').length).toBeGreaterThanOrEqual(3)
    expect(run.stderr).toContain('tent.obj: 4 triangles, and 18,864 of the floor')
    const { scene } = summarySchema.parse(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')))
    expect(scene).toMatchObject({ triangles: 18_868, floorTriangles: 18_864 })
  })
})

describe('a film made in passes', () => {
  it('is the same film: it has the same manifest and frames, and either command goes on with it', async () => {
    const args = [
      'render',
      mesh,
      '--size',
      '64x36',
      '--samples',
      '4',
      '--ambient-rays',
      '1',
      '--workers',
      '1',
      '--json',
    ]
    const film = async (out: string, ...more: string[]) => {
      const run = await sortfirst([...args, '--out', join(folder, out), ...more])
      expect(run.code, run.stderr).toBe(0)
      return run.stdout
    }
    const hashes = (text: string) => summarySchema.parse(JSON.parse(text)).strategies[0]?.frameSha256
    const plain = await film('plain', '--frames', '2')
    const passes = await film('passes', '--frames', '2', '--passes', '2', '--in-flight', '1')
    expect(hashes(passes)).toEqual(hashes(plain))
    const [one, other] = ['plain', 'passes'].map(out => readFileSync(join(folder, out, 'render.json'), 'utf8'))
    expect(other).toBe(one)
    expect(await film('passes', '--frames', '2', '--resume', '--progressive')).toBe('null\n')
    expect(readdirSync(join(folder, 'passes')).sort()).toEqual(readdirSync(join(folder, 'plain')).sort())
  })
})

describe('lists', () => {
  it.each<[string, readonly string[]]>([
    ['scenes', BUILT_IN_SCENES.map(scene => scene.name)],
    ['strategies', strategyNames],
  ])('of %s name what there is, for people and for programs', async (what, names) => {
    const [plain, json] = await Promise.all([sortfirst([what]), sortfirst([what, '--json'])])
    for (const name of names) expect(plain.stdout).toMatch(new RegExp(`^${name}\\b`, 'm'))
    expect((JSON.parse(json.stdout) as { name: string }[]).map(row => row.name)).toEqual(names)
  })
})

it('engines are listed with the adapters that are here, or why none can be looked for', async () => {
  // None is found: trying one would take its time, and what is tried is tested elsewhere (`test/cluster/webgpu.test.ts`).
  const env = { VK_ICD_FILENAMES: '/nowhere', __EGL_VENDOR_LIBRARY_FILENAMES: '/nowhere' }
  const [plain, json] = await Promise.all([sortfirst(['engines'], { env }), sortfirst(['engines', '--json'], { env })])
  for (const name of engineNames) expect(plain.stdout).toMatch(new RegExp(`^${name}\\b`, 'm'))
  expect(plain.stdout).toMatch(
    /^(no adapters for --engine webgpu and --accelerator webgpu|adapters for --engine and --accelerator:)/m,
  )
  const { engines, adapters } = JSON.parse(json.stdout) as Record<'engines' | 'adapters', { name: string }[]>
  expect(engines.map(({ name }) => name)).toEqual(engineNames)
  expect(adapters).toBeInstanceOf(Array)
})

it('engines are listed without the optional package, which is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'without-webgpu-'))
  try {
    // Of all that is loaded in every process of the command, that one package cannot be found.
    const hooks = `export const resolve = (name, context, next) => {
      if (name === 'webgpu') throw new Error("Cannot find package 'webgpu'")
      return next(name, context)
    }`
    const register = `import { register } from 'node:module'
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))`
    writeFileSync(join(folder, 'hide.mjs'), register)
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'hide.mjs'))}` }
    const { code, stdout } = await sortfirst(['engines'], { env })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^wasm +SIMD kernel/m)
    const why =
      "WebGPU needs the package webgpu@0.6.2, which cannot be loaded (Cannot find package 'webgpu'); run `npm install webgpu@0.6.2`"
    expect(stdout).toContain(`no adapters for --engine webgpu and --accelerator webgpu: ${why}`)
    expect(stdout).toMatch(/^webgpu +.*unavailable: WebGPU needs the package webgpu@0\.6\.2/m)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('an engine that its workers cannot have is not waited for, and nothing is started beside one that is a device', async () => {
  const args = ['render', mesh, ...picture, '--workers', '2', '--wait', '3600', '--out', join(folder, 'nothing')]
  const absent = await sortfirst([...args, '--engine', 'webgpu:no such adapter'])
  // Where there are adapters, the name is wrong; where there is none, the machine lacks one.
  const lines = absent.stderr.trim().split('\n')
  if (absent.code === 2) expect(lines.at(-1)).toMatch(/^sortfirst: expected an adapter that is here/)
  else {
    expect(absent.code).toBe(1)
    expect(lines.at(-1)).toMatch(
      /^sortfirst: workers: expected at least one to stay, got none: worker-[12] ended .*(adapter|WebGPU).*; the engine wasm needs no graphics card$/,
    )
  }
  const beside = await sortfirst([...args, '--engine', 'webgpu:x', '--accelerator', 'simulated:2'])
  expect(beside.code).toBe(2)
  expect(beside.stderr).toContain('--accelerator: expected none with --engine webgpu:x, which is the device, got one')
  expect(beside.stderr).not.toContain('waiting')
})

it('strategies are listed with when to use them', async () => {
  const [plain, json] = await Promise.all([sortfirst(['strategies']), sortfirst(['strategies', '--json'])])
  for (const { advice } of strategies) expect(plain.stdout).toContain(advice)
  for (const row of JSON.parse(json.stdout) as { advice: string; options: string[] }[]) {
    expect(row.advice).toMatch(/\S/)
    expect(row.options.every(flag => flag.startsWith('--'))).toBe(true)
  }
})

describe('help', () => {
  it('of a command is what it says itself, also of one group of its options', async () => {
    const alike = {
      help: '--help',
      'help render': 'render --help',
      '-h render': 'render --help',
      'help render light': 'render --help light',
      'help new strategy': 'new strategy --help',
    }
    for (const asked of Object.entries(alike)) {
      const [of, itself] = await Promise.all(asked.map(words => sortfirst(words.split(' '))))
      expect(of).toEqual(itself)
      expect(of).toMatchObject({ code: 0, stderr: '' })
    }
  })

  it.each([
    [['help', 'nope'], "unknown command 'nope'; see sortfirst --help"],
    [['help', 'bench', 'nope'], "unknown command 'bench'; see sortfirst --help"],
    [['nope', '--help'], "unknown command 'nope'; see sortfirst --help"],
    [['--help', 'nope'], "unknown command 'nope'; see sortfirst --help"],
    [['help', 'rendr'], "unknown command 'rendr' (Did you mean render?); see sortfirst --help"],
    [['help', 'new', 'nope'], "unknown command 'nope'; see sortfirst new --help"],
    [['help', 'cache', 'nope'], "unknown command 'nope': expected one of show, clear"],
    [['help', 'render', 'nope'], '--help: expected nothing after it, or one of options, '],
  ])('of what is no command is a sentence: %j', async (words, sentence) => {
    const { code, stdout, stderr } = await sortfirst(words)
    expect(stderr).toContain(`sortfirst: ${sentence}`)
    expect(stderr.match(/\n/g)).toHaveLength(1)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('of what is no bench is a sentence, too', () => {
    expect(helpWords(createBenches('1'), ['help', 'nope'])).toEqual(['nope'])
    expect(helpWords(createBenches('1'), ['help', 'kernel'])).toEqual(['kernel', '--help'])
  })

  it.each(['render', 'compare'])('of %s says how strategies are tuned', async command => {
    const { code, stdout } = await sortfirst([command, '--help', 'strategy'])
    expect(code).toBe(0)
    expect(stdout).toContain('Strategy:')
    expect(stdout).not.toContain('Picture:')
    for (const option of Object.keys(strategyOptionsSchema.shape) as (keyof StrategyOptions)[])
      expect(stdout).toContain(`${flagOf(option)} `)
    const words = stdout.replace(/\s+/g, ' ')
    for (const name of [...PREDICTOR_NAMES, ...SCATTER_UNITS]) expect(words).toContain(name)
    const all = (await sortfirst([command, '--help', 'all'])).stdout
    for (const part of ['Picture:', '--tile <px>', 'Examples:', DEFAULT_STRATEGY]) expect(all).toContain(part)
  })

  it.each(['render', 'compare', 'simulate', 'tile', 'worker'])(
    'of %s fits on screens, and together they have every option',
    async command => {
      const screen = async (...group: string[]) => {
        const { code, stdout } = await sortfirst([command, '--help', ...group])
        expect(code).toBe(0)
        return {
          text: stdout,
          lines: stdout.split('\n').length,
          flags: stdout.match(/^ {2}(?:-\w, )?--[\w-]+/gm) ?? [],
        }
      }
      const first = await screen()
      expect(first.lines).toBeLessThanOrEqual(41)
      const places = ['Examples:', 'Options used most:', 'All options, by group:'].map(part => first.text.indexOf(part))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(places[0]).toBeGreaterThan(0)
      const groups = [...first.text.matchAll(/^ {2}--help (\w+) .*\((\d+)\)$/gm)]
      const seen: string[] = []
      for (const [, group, count] of groups) {
        const { lines, flags } = await screen(group!)
        expect(lines, group).toBeLessThanOrEqual(41)
        expect(
          flags.filter(flag => !flag.includes('--help')),
          group,
        ).toHaveLength(Number(count))
        seen.push(...flags)
      }
      expect(seen.toSorted()).toEqual((await screen('all')).flags.toSorted())
      // Whatever is on the first screen is an option of the command.
      const used = first.text.slice(places[1], places[2]).match(/^ {2}(?:-\w, )?--[\w-]+/gm)!
      expect(used.length).toBeGreaterThan(6)
      for (const flag of used) expect(seen).toContain(flag)
      expectSentence(await sortfirst([command, '--help', 'nothing']), 2, '--help: expected', "'nothing'")
    },
  )

  it('has three examples of every command, of options that there are', async () => {
    const { commands } = createProgram('1.2.3')
    for (const command of commands.filter(each => each.name() !== 'spare')) {
      const { stdout } = await sortfirst([command.name(), '--help'])
      const lines = stdout
        .slice(stdout.indexOf('Examples:'))
        .split('\n\n')[0]!
        .match(/^ {2}sortfirst \S.*$/gm)
      expect(lines, command.name()).toHaveLength(3)
      for (const line of lines!) {
        const [, name, ...words] = line.trim().split(/ {2,}/)[0]!.split(' ')
        const parent = commands.find(each => each.name() === name)!
        const below = parent.commands.filter(each => each.name() === words[0]).map(each => each.name())
        const flags = words.filter(word => word.startsWith('-'))
        if (flags.length === 0) continue
        const known = (await sortfirst([name!, ...below, '--help', 'all'])).stdout
        for (const flag of flags) expect(known, line).toMatch(new RegExp(`^ +(-\\w, )?${flag}\\b`, 'm'))
      }
    }
  })

  it('names every command and ends well', async () => {
    const { code, stdout } = await sortfirst(['--help'])
    expect(code).toBe(0)
    expect(stdout.split('\n').length).toBeLessThanOrEqual(41)
    expect(stdout.indexOf('Examples:')).toBeLessThan(stdout.indexOf('Commands:'))
    for (const command of ['render', 'compare', 'master', 'worker', 'inspect', 'scenes', 'strategies', 'engines'])
      expect(stdout).toContain(command)
    expect((await sortfirst([])).code).toBe(2)
    expect((await sortfirst(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+( \([0-9a-f]{7}\+?\))?\n$/)
  })
})
