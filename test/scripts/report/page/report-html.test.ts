import { createHash } from 'node:crypto'
import { createDocument } from '@mixmark-io/domino'
import { beforeAll, describe, expect, test } from 'vitest'
import { greedy } from '../../../../master/strategies/charm/greedy.ts'
import { strategyByName } from '../../../../master/strategies/index.ts'
import { fastestOf, headline } from '../../../../scripts/report/figures/headline.ts'
import { reportHtml } from '../../../../scripts/report/page/report-html.ts'
import type { ReportImages } from '../../../../scripts/report/page/report-pictures.ts'
import { decisionWords } from '../../../../scripts/report/tables/decision-words.ts'
import type { ReportFrames } from '../../../../shared/dashboard/report-frames.ts'
import { cssColor, workerColors } from '../../../../shared/dashboard/worker-colors.ts'
import type { Summary } from '../../../../shared/frame/summary.ts'
import {
  alone,
  crowd,
  everySummary,
  field,
  fieldRuns,
  framesOf,
  still,
  usual,
  WEIRD_SCENE,
  WEIRD_STRATEGY,
  weird,
  wide,
  withTab,
} from '../summaries.ts'

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='

const imagesOf = (summary: Summary): ReportImages => ({
  tiles: summary.strategies.map(({ name, frames }) => ({ strategy: name, frame: frames[0]!.frame, dataUri: PIXEL })),
  pictures: [{ strategy: summary.strategies[0]!.name, frame: 0, dataUri: PIXEL }],
})

const page = (summary: Summary): string => reportHtml(summary, imagesOf(summary))

interface Found {
  readonly textContent: string
  getAttribute(name: string): string | null
}
interface Parsed {
  querySelectorAll(selector: string): ArrayLike<Found>
}
const findIn = (parsed: Parsed, selector: string): Found[] => Array.from(parsed.querySelectorAll(selector))
const find = (markup: string, selector: string): Found[] => findIn(createDocument(markup) as Parsed, selector)

/** Elements in the order they close; throws where one closes that is not open. */
function balance(markup: string): void {
  const empty = new Set(['meta', 'link', 'img', 'br'])
  const open: string[] = []
  const tags = markup.replace(/<!DOCTYPE html>/, '').matchAll(/<(\/?)([a-zA-Z][\w-]*)(?:\s[^<>]*?)?(\/?)>/g)
  for (const [, closing, name, selfClosed] of tags) {
    if (closing) expect(open.pop()).toBe(name)
    else if (!selfClosed && !empty.has(name!)) open.push(name!)
  }
  expect(open).toEqual([])
}

describe.each(everySummary)('%s', (_, make) => {
  let summary: Summary
  let markup: string
  let parsed: Parsed
  beforeAll(() => {
    summary = make()
    markup = page(summary)
    parsed = createDocument(markup) as Parsed
  })

  test('is well-formed', () => {
    balance(markup)
    // Whatever is no tag, entity or style must not look like the beginning of one.
    expect(markup.replace(/<style>[^<]*<\/style>/g, '').replace(/<\/?[a-zA-Z!][^<>]*>/g, '')).not.toMatch(/[<>]/)
    expect(markup).not.toMatch(/NaN|undefined|Infinity|\[object/)
  })

  test('asks nobody for anything', () => {
    for (const [, target] of markup.matchAll(/(?:src|href|srcset|action|data)="([^"]*)"/g))
      expect(target).toMatch(/^data:/)
    expect(markup.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\/|url\(|@import|<script/)
  })

  test('says the result, the host, and how to read ε', () => {
    expect(findIn(parsed, '.headline')[0]!.textContent).toBe(headline(summary))
    const text = findIn(parsed, 'main')[0]!.textContent
    expect(text).toContain(`host with ${summary.host.cores} cores`)
    for (const equation of ['Eq. (1)', 'Eq. (2)', 'Eq. (3)']) expect(text).toContain(equation)
  })

  test('has a row per strategy in every table of all, and its tiles', () => {
    // Beside each other if they are few, else below each other.
    const strategies = summary.strategies.length
    const heads = findIn(parsed, 'table.upright:not(.some) thead th[scope=col]')
    const rows = findIn(parsed, 'table.broad:not(.some) tbody tr')
    const tables = strategies <= 4 ? heads.length / (strategies + 1) : rows.length / strategies
    expect(tables).toBe(5)
    expect(strategies <= 4 ? rows : heads).toHaveLength(0)
    const images = findIn(parsed, 'img')
    expect(images).toHaveLength(summary.strategies.length + 1)
    for (const image of images) expect(image.getAttribute('alt')).not.toBe('')
  })
})

test('tells who is best at what, and who came next', () => {
  const rows = find(page(field()), '.winners tbody tr')
  expect(rows.length).toBeGreaterThan(8)
  const best = fastestOf(field())
  expect(rows[0]!.textContent).toMatch(new RegExp(`^mean frame time[\\d.]+ ms ${best.name}`))
  expect(find(page(field()), 'details .winners tbody tr').length).toBe(rows.length - 5)
  expect(page(field())).toContain('Ranked by what matters')
  const heads = find(page(usual()), '#winners > .scroll thead th')
  expect(heads.map(head => head.textContent)).toEqual(['measure', 'best', 'next'])
  expect(find(page(alone()), '.winners')).toHaveLength(0)
})

test('the first screen shows how the baseline and the fastest shared a frame, before any number', () => {
  const markup = page(field())
  const shown = find(markup, 'header .pictures img').map(image => image.getAttribute('alt'))
  expect(shown).toEqual(
    field()
      .strategies.filter(({ name }) => name === 'static-blocks' || name === fastestOf(field()).name)
      .map(({ name }) => expect.stringContaining(`rendered with ${name} with its tiles`)),
  )
  expect(markup.indexOf('<img')).toBeLessThan(markup.indexOf('<dl class="cards">'))
  expect(find(markup, '#tiles img')).toHaveLength(field().strategies.length - 2)
})

test('where frames are too short, nothing is called the best', () => {
  const strategies = usual().strategies.map(each => ({ ...each, frameMs: { ...each.frameMs, mean: 12 } }))
  const markup = page({ ...usual(), strategies })
  expect(find(markup, '.headline')[0]!.textContent).toMatch(/^The frames are too short to tell/)
  expect(find(markup, '.winners')).toHaveLength(0)
  expect(find(markup, '.cards dt').map(each => each.textContent)).not.toContain('Speed-up')
})

test('load balance is shown in three ways, and everything else about it is folded', () => {
  const runs = framesOf(fieldRuns(2))
  for (const [summary, shown] of [
    [usual(), runs.filter(({ name }) => usual().strategies.some(each => each.name === name))],
    [usual(), []],
    [field(), runs],
  ] as const) {
    const markup = reportHtml(summary, { ...imagesOf(summary), runs: shown })
    const open = find(markup, '#balance > figure').length + find(markup, '#balance > .scroll > table').length
    expect(open).toBe(3)
    expect(find(markup, '#balance > details figure').length).toBeGreaterThanOrEqual(2)
    // Why each of the frames took as long as it did.
    const why = find(markup, '#balance .why').filter(({ textContent }) => /[Ff]rame \d+: .+\.$/.test(textContent ?? ''))
    expect(why).toHaveLength(shown.length)
  }
})

test('says in a sentence what each built-in strategy does, and nothing of one of the user', () => {
  const said = find(page(usual()), '.does dd').map(each => each.textContent)
  expect(said).toEqual(['static-blocks', 'pbt'].map(name => expect.stringMatching(sentenceOf(name))))
  expect(find(page(weird()), '.does')).toHaveLength(0)
})

const sentenceOf = (name: string): RegExp => new RegExp(`^.${strategyByName(name).summary.slice(1)}\\.$`)

test('says in a sentence what each built-in strategy decides', () => {
  const objects = { loads: Float64Array.of(1), owners: Int32Array.of(0) }
  const decided = [
    ...['probes', 'learnedSpeeds', 'moved', 'tiles', 'acceleratorShare'],
    ...Object.keys(greedy(objects, { speeds: Float64Array.of(1), background: Float64Array.of(0) }).decisions),
  ]
  for (const decision of decided) expect(decisionWords(decision), decision).toMatch(/^[A-Z].*\.$/)
  expect(decisionWords('toString')).toBeUndefined()
})

describe('a frame of each run, worker by worker', () => {
  const runs = framesOf(fieldRuns(2))

  test('is shown where its spans were kept, to one scale', () => {
    const markup = reportHtml(field(), { ...imagesOf(field()), runs })
    balance(markup)
    expect(markup).toContain('One frame, worker by worker')
    expect(page(field())).not.toContain('One frame, worker by worker')
    expect(find(markup, '.charts h3').map(({ textContent }) => textContent.split(' frame')[0])).toEqual(
      runs.map(({ name }) => name),
    )
    expect(find(markup, '.charts svg .row')).toHaveLength(16 * 8)
    const last = (svg: string) => [...svg.matchAll(/class="tick"[^>]*>([^<]*)</g)].map(([, text]) => text).at(-1)
    const charts = markup.split('<svg class="gantt"').slice(1)
    expect(new Set(charts.map(last)).size).toBe(1)
  })

  test('a few have one drawing for a phone, and one for other screens', () => {
    const markup = reportHtml(usual(), { ...imagesOf(usual()), runs: runs.slice(0, 2) })
    expect(find(markup, '.charts .wide > svg')).toHaveLength(2)
    expect(find(markup, '.charts .narrow > svg')).toHaveLength(2)
  })

  test('has the colours that the pictures of tiles have', () => {
    // The second one was not there for this frame.
    const [run] = runs
    const roster = { ids: ['id-0', 'id-2'], names: ['a', 'c'] }
    const few = { ...run!, rosters: [roster], frames: [run!.frames[0]!] }
    const markup = reportHtml(field(), { ...imagesOf(field()), runs: [few] })
    const marks = [...markup.matchAll(/class="mark"[^>]*fill="(#\w+)"/g)].map(([, fill]) => fill)
    const [first, , third] = [...workerColors(field().workers.map(({ id }) => id)).values()].map(cssColor)
    expect(marks.slice(0, 2)).toEqual([first, third])
  })
})

describe('the dashboard in it', () => {
  const program = { script: 'const done = 1', style: '.dashboard { color: red }', pictures: [] }
  const [run] = framesOf(fieldRuns(2))

  test('is the only script that may run', () => {
    const markup = reportHtml(usual(), { ...imagesOf(usual()), runs: [run!], dashboard: program })
    const hash = createHash('sha256').update(program.script).digest('base64')
    expect(markup).toContain(`style-src 'unsafe-inline'; script-src 'sha256-${hash}'">`)
    expect(find(markup, 'script').map(each => each.getAttribute('type'))).toEqual(['application/json', null])
    expect(find(markup, 'script')[1]!.textContent).toBe(program.script)
    expect(find(page(usual()), 'script')).toHaveLength(0)
    expect(find(reportHtml(usual(), { ...imagesOf(usual()), dashboard: program }), 'script')).toHaveLength(0)
  })

  test('has its data as they were, whatever names are in them', () => {
    const names = [WEIRD_STRATEGY, '</script><script>alert(1)</script>', '<!--<script>', ']]>\u2028&amp;']
    const hostile = names.map(name => ({ ...run!, name, rosters: [{ ids: [name], names: [name] }] }))
    const pictures = [{ strategy: 'pbt', frame: 3, dataUri: PIXEL }]
    const markup = reportHtml(usual(), { ...imagesOf(usual()), runs: hostile, dashboard: { ...program, pictures } })
    const scripts = find(markup, 'script')
    expect(scripts).toHaveLength(2)
    const told = JSON.parse(scripts[0]!.textContent) as ReportFrames
    expect(told.runs).toEqual(hostile)
    expect(told.workers).toEqual(usual().workers.map(({ id }) => id))
    expect(told.pictures).toEqual([{ frame: 3, uri: PIXEL }])
    const inside = /<script type="application\/json"[^>]*>([^<]*)<\/script>/.exec(markup)![1]!
    expect(inside).not.toMatch(/[<>&\u2028\u2029]/)
  })

  test('says what is not in it', () => {
    const some = framesOf(fieldRuns(12).slice(0, 1), 4000)
    const markup = reportHtml(usual(), { ...imagesOf(usual()), runs: some, dashboard: program })
    expect(some[0]!.step).toBeGreaterThan(1)
    expect(markup).toContain(`${some[0]!.frames.length} of the 12 of static-blocks (one in ${some[0]!.step})`)
    expect(reportHtml(usual(), { ...imagesOf(usual()), runs: [run!], dashboard: program })).not.toContain('have room')
  })
})

test('what was done beyond the plans is told of those who did', () => {
  const heads = find(page(field()), 'table.some thead th')
  expect(heads.map(head => head.textContent)).toEqual(['', 'predictive'])
  expect(find(page(usual()), 'table.some')).toHaveLength(0)
  const decided = find(page(field()), 'table.decisions tbody tr')
  expect(decided[0]?.textContent).toMatch(/^greedy-lbmovedTiles whose worker changed.*\.\d+$/)
  expect(decided[1]?.textContent).toMatch(/^kept\d+$/)
})

test('a thousand workers get a legend of some, and are said to be drawn in groups', () => {
  const markup = page(crowd())
  expect(find(markup, '#tiles .chips li')).toHaveLength(65)
  expect(markup).toContain('1000 workers in groups of 16')
  expect(markup.length).toBeLessThan(3_000_000)
})

test('sixteen strategies make a page that loads', () => {
  expect(page(field()).length).toBeLessThan(3_000_000)
})

test('escapes every name, and shows it whole', () => {
  const markup = page(weird())
  expect(find(markup, 'script')).toHaveLength(0)
  expect(find(markup, 'h1')[0]!.textContent).toContain(WEIRD_SCENE)
  expect(find(markup, '#strategies thead th')[1]!.textContent).toBe(WEIRD_STRATEGY)
  expect(find(markup, 'main')[0]!.textContent).toContain('</svg><script>alert("w")</script>')
})

test('one strategy is not compared with anything', () => {
  const text = find(page(alone()), 'main')[0]!.textContent
  expect(text).not.toMatch(/speed-up|as fast as/i)
  expect(text).toContain('nothing to compare')
})

test('a single frame has no lines, no spread and no distribution', () => {
  const markup = page(still())
  expect(markup).not.toContain('Distribution of the frame times')
  expect(markup).not.toContain('Spread (stddev/mean)')
})

test('mean rules are explained only where they are drawn', () => {
  expect(page(usual())).toContain('Dashed: the mean.')
  expect(page(wide())).not.toContain('Dashed: the mean.')
})

test('on a phone charts and tables scroll, and lines have names where their ends are out of sight', () => {
  const markup = page(usual())
  const wide = find(markup, 'table').length + find(markup, 'figure > .scroll').length
  expect(find(markup, '.scroll > table, .scroll > svg')).toHaveLength(wide)
  // Each chart scrolls and says so, or is drawn a second time for a phone.
  const twice = find(markup, '.wide > svg').length
  expect(twice).toBeGreaterThan(1)
  expect(find(markup, '.narrow > svg')).toHaveLength(twice)
  expect(find(markup, 'main svg')).toHaveLength(find(markup, '.scroll > svg').length + 2 * twice)
  expect(find(markup, 'figure .sideways')).toHaveLength(find(markup, '.scroll > svg').length)
  expect(find(page(field()), 'table.broad')).toHaveLength(find(page(field()), '.sideways + .scroll > table').length)
  const names = usual().strategies.map(({ name }) => name)
  expect(find(markup, 'main > figure .keys li').map(key => key.textContent)).toEqual(names)
  // Of small charts side by side each carries its own name.
  expect(find(page(field()), '.keys')).toHaveLength(0)
  // A sheet of paper is as narrow, and scrolls nowhere.
  expect(markup).toContain('@media screen and (max-width: 700px)')
})

test('without pictures there is no empty frame for them', () => {
  expect(find(reportHtml(usual(), { tiles: [], pictures: [] }), 'img')).toHaveLength(0)
})

test('a part of a picture, what ended frames that had little time, and what they went on from are said', () => {
  const facts = (summary: Summary) => find(page(summary), '#run dl')[0]!.textContent
  for (const absent of ['the part from', 'Ended by', 'Went on']) expect(facts(still())).not.toContain(absent)
  const [only] = still().strategies
  const frames = only!.frames.map(frame => ({ ...frame, endedBy: 'time' as const }))
  const said = facts({
    ...still(),
    region: { x: 5, y: 3, w: 80, h: 45, of: [640, 360] },
    timeMs: 600_000,
    strategies: [{ ...only!, frames }],
    wentOn: [{ frame: 0, samples: 12.345 }],
  })
  expect(said).toContain('the part from 5, 3 of a picture of 640 × 360 px')
  expect(said).toContain('1 frame by their time, 10 min 0 s each')
  expect(said).toContain(
    'frame 0, which had 12.3 samples per pixel of an earlier run: times, tiles and passes are of the rest alone',
  )
})

test('nothing is said by the CPU clock where a worker has none', () => {
  const text = page(withTab())
  expect(text).not.toContain('by the CPU clock')
  expect(text).not.toContain('CPU ms')
  expect(text).toContain('imbalance ε by the wall clock')
  expect(text).toContain('Not all that traced has a CPU clock')
  expect(page(usual())).toContain('imbalance ε by the CPU clock')
})
