/**
 * A view in company, far away, and driven wildly. Each part fails if what it measures did not happen; how good its figures are is for the reader to
 * say.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Size } from '../../../shared/frame/rect.ts'
import { hash32, unitOf } from '../../../shared/math/random.ts'
import type { Log } from '../../../shared/text/log.ts'
import { BenchError } from '../bench-error.ts'
import { DraggedPage } from './dragged-page.ts'
import type { Came } from './page-client.ts'
import { type Quantiles, quantilesOf } from './quantiles-of.ts'
import { startSlowLine } from './slow-line.ts'

export const VIEW_PARTS = ['viewers', 'line', 'jumps'] as const
export type ViewPart = (typeof VIEW_PARTS)[number]

export interface OtherParts {
  /** Pictures per second of one who drags, alone, and while others look on; and what is lost by that. */
  readonly viewers?: {
    readonly others: number
    readonly fpsAlone: number
    readonly fps: number
    readonly lossShare: number
  }
  /** Behind a slow line. What a view takes at its end longer than at its beginning, ms: if that grows, pictures pile up. */
  readonly slowLine?: {
    readonly roundTripMs: number
    readonly mbitPerS: number
    readonly fps: number
    readonly latencyMs: Quantiles
    readonly growthMs: number
  }
  /** Jumps to anywhere, at any time. */
  readonly jumps?: { readonly count: number; readonly pictures: number; readonly outOfOrder: number }
}

export interface OtherPartsOptions {
  readonly size: Size
  readonly seconds: number
  readonly parts?: readonly ViewPart[]
  /** @default 60 */
  readonly lineSeconds?: number
  /** @default 1000 */
  readonly jumps?: number
}

/** Beside the one who drags. */
const OTHERS = 7
const LINE = { roundTripMs: 100, mbitPerS: 20 } as const
/** Of the time behind a slow line, its beginning and its end. */
const ENDS = 1 / 6
/** A view jumps after less than this, ms. */
const MOST_PAUSE_MS = 32

/** @param link of the view, for another page. @throws BenchError */
export async function otherParts(
  link: () => Promise<string>,
  options: OtherPartsOptions,
  log: Log,
): Promise<OtherParts> {
  const { parts = [] } = options
  return {
    ...(parts.includes('viewers') ? { viewers: await inCompany(link, options, log) } : {}),
    ...(parts.includes('line') ? { slowLine: await farAway(link, options, log) } : {}),
    ...(parts.includes('jumps') ? { jumps: await wildly(link, options, log) } : {}),
  }
}

async function inCompany(
  link: () => Promise<string>,
  { size, seconds }: OtherPartsOptions,
  log: Log,
): Promise<NonNullable<OtherParts['viewers']>> {
  const driver = await DraggedPage.open(await link(), size)
  await driver.rest()
  await driver.drag(seconds * 500)
  const pictures = async (): Promise<number> => {
    const from = driver.came.length
    await driver.drag(seconds * 500)
    return driver.came.length - from
  }
  const before = await pictures()
  const others: DraggedPage[] = []
  for (let i = 0; i < OTHERS; i++) {
    const other = await DraggedPage.watch(await link(), size)
    await other.until(() => true)
    others.push(other)
  }
  log.info(`${others.length} others look on`)
  const seen = others.map(({ came }) => came.length)
  const beside = (await pictures()) + (await pictures())
  if (others.some(({ came }, i) => came.length === seen[i]))
    throw new BenchError('a page that looks on was shown nothing of what the other one did')
  for (const { client } of others) await client.close()
  const alone = before + (await pictures())
  await driver.client.close()
  if (alone === 0 || beside === 0) throw new BenchError('no picture came while the view was dragged')
  return { others: others.length, fpsAlone: alone / seconds, fps: beside / seconds, lossShare: 1 - beside / alone }
}

async function farAway(
  link: () => Promise<string>,
  { size, lineSeconds = 60 }: OtherPartsOptions,
  log: Log,
): Promise<NonNullable<OtherParts['slowLine']>> {
  const direct = await link()
  const line = await startSlowLine(Number(new URL(direct).port), LINE)
  try {
    const page = await DraggedPage.open(line.link(direct), size)
    await page.rest()
    const from = page.came.length
    const beganAt = performance.now()
    await page.drag(lineSeconds * 1000)
    const ms = performance.now() - beganAt
    const came = page.came.slice(from).filter(({ facts }) => facts.stage === 'moving')
    await page.client.close()
    log.info(`${came.length} pictures came through a slow line, ${(line.bytes / 1e6).toFixed(1)} MB`)
    if (came.length === 0) throw new BenchError('no picture came through the slow line')
    if (came.some(({ latencyMs }) => latencyMs < LINE.roundTripMs - 2))
      throw new BenchError('a picture came sooner than the slow line lets anything through')
    const within = (since: number, until: number) =>
      quantilesOf(came.filter(({ at }) => at - beganAt >= since * ms && at - beganAt < until * ms).map(latencyOf)).p50
    return {
      ...LINE,
      fps: (came.length / ms) * 1000,
      latencyMs: quantilesOf(came.map(latencyOf)),
      growthMs: within(1 - ENDS, 1) - within(0, ENDS),
    }
  } finally {
    await line.close()
  }
}

const latencyOf = ({ latencyMs }: Came): number => latencyMs

async function wildly(
  link: () => Promise<string>,
  { size, jumps = 1000 }: OtherPartsOptions,
  log: Log,
): Promise<NonNullable<OtherParts['jumps']>> {
  const page = await DraggedPage.open(await link(), size)
  await page.rest()
  const from = page.came.length
  let drawn = 0
  const random = () => unitOf(hash32(drawn++))
  for (let i = 0; i < jumps; i++) {
    page.turn(random() * 2 * Math.PI)
    await delay(random() * MOST_PAUSE_MS)
  }
  await page.rest()
  const pictures = page.came.length - from
  await page.client.close()
  log.info(`${jumps} jumps: ${pictures} pictures`)
  if (pictures < 2) throw new BenchError('no picture came while the view jumped')
  return { count: jumps, pictures, outOfOrder: page.outOfOrder }
}
