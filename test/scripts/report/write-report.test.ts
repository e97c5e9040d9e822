import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withOutputFolder } from '../../../scripts/files/output-folder.ts'
import { writeWhole } from '../../../scripts/files/write-whole.ts'
import { filmStars, folderName, type ReportData, writeReport } from '../../../scripts/report/write-report.ts'
import { SUMMARY_VERSION, type Summary, summarySchema } from '../../../shared/frame/summary.ts'
import { field, usual, weird } from './summaries.ts'
import { picture, sizePx } from './synthetic-run.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sortfirst-report-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const dataOf = (summary: Summary, frame: number): ReportData => ({
  summary,
  tiled: summary.strategies.map(({ name, frames }) => ({
    strategy: name,
    frame,
    pixels: picture(frame),
    tiles: frames[frame]!.tiles,
  })),
  pictures: [{ strategy: summary.strategies[0]!.name, frame: 0, pixels: picture(0) }],
})

const writeInto = (path: string, data: ReportData): Promise<string[]> =>
  withOutputFolder(path, folder => writeReport(folder, data))

const filesIn = async (root: string): Promise<string[]> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .sort()

test('writes every file under its name, and leaves no part behind', async () => {
  const written = await writeInto(folder, dataOf(usual(), 12))
  const expected = [
    'frame-times.png',
    'frames.csv',
    'pbt/tiles-0012.png',
    'report.html',
    'static-blocks/tiles-0012.png',
    'summary.json',
  ]
  expect(await filesIn(folder)).toEqual(expected)
  expect(written.map(path => relative(folder, path)).sort()).toEqual(expected)

  expect(summarySchema.parse(JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8')))).toEqual(usual())
  const chart = await sharp(join(folder, 'frame-times.png')).metadata()
  expect([chart.format, chart.width]).toEqual(['png', 2 * 920])
  const overlay = await sharp(join(folder, 'pbt/tiles-0012.png')).metadata()
  expect([overlay.width, overlay.height]).toEqual([...sizePx])
  const html = await readFile(join(folder, 'report.html'), 'utf8')
  expect(html.match(/src="data:image\/jpeg;base64,/g)).toHaveLength(3)
})

test('makes a film of every frame’s tiles, and none of a single frame', async () => {
  const summary = usual()
  const film = (strategy: string, count: number) =>
    Array.from({ length: count }, (_, frame) => ({
      strategy,
      frame,
      pixels: picture(frame),
      tiles: summary.strategies[0]!.frames[frame]!.tiles,
    }))
  await writeInto(folder, { ...dataOf(summary, 12), films: [film('pbt', 3), film('static-blocks', 1)] })
  expect((await filesIn(folder)).filter(name => name.endsWith('.webp'))).toEqual(['pbt/tiles.webp'])
  const { pages, width, delay } = await sharp(join(folder, 'pbt/tiles.webp'), { animated: true }).metadata()
  expect([pages, width, delay?.length]).toEqual([3, 640, 3])
  expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('src="data:image/webp;base64,')
})

test('films of many strategies are those of the baseline and the fastest three', async () => {
  expect([...filmStars(usual())].sort()).toEqual(['pbt', 'static-blocks'])
  const stars = filmStars(field())
  const ranked = field().strategies.toSorted((a, b) => a.frameMs.mean - b.frameMs.mean)
  expect([...stars]).toEqual(['static-blocks', ...ranked.slice(0, 3).map(({ name }) => name)])
})

test('tiles without a picture are drawn on a blank sheet', async () => {
  const { tiled, ...data } = dataOf(usual(), 1)
  await writeInto(folder, { ...data, tiled: tiled.map(({ pixels: _, ...frame }) => frame) })
  const { data: sheet } = await sharp(join(folder, 'pbt/tiles-0001.png')).raw().toBuffer({ resolveWithObject: true })
  const { data: drawn } = await sharp(join(folder, 'static-blocks/tiles-0001.png'))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(sheet.equals(drawn)).toBe(false)
})

test('a strategy’s name cannot lead out of the folder', async () => {
  const written = await writeInto(join(folder, 'run'), dataOf(weird(), 1))
  for (const path of written) expect(relative(join(folder, 'run'), path)).not.toMatch(/^\.\./)
  expect((await readdir(folder)).sort()).toEqual(['run'])
  expect(folderName('..')).toBe('strategy')
  expect(folderName('pbt-split-merge')).toBe('pbt-split-merge')
})

test('a file that cannot be put in place leaves neither itself nor a part', async () => {
  await mkdir(join(folder, 'taken'))
  await writeWhole(join(folder, 'taken/inside.txt'), 'x')
  await expect(writeWhole(join(folder, 'taken'), 'y')).rejects.toThrow()
  expect(await filesIn(folder)).toEqual(['taken/inside.txt'])
})

test('a second report replaces the first', async () => {
  await writeWhole(join(folder, 'summary.json'), 'old')
  await writeInto(folder, dataOf(usual(), 0))
  expect(JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8')).version).toBe(SUMMARY_VERSION)
})
