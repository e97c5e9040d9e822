import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RecordingError } from '../../../scripts/recording/errors.ts'
import { framesFrom, readRecording } from '../../../scripts/recording/read-recording.ts'
import { recordLive, withRecording } from '../../../scripts/recording/record.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { bodyCosts } from '../../support/cost-maps.ts'
import { recordedLine, recordingFacts, writeRecording } from '../../support/recordings.ts'
import { smallScene } from '../../support/small-scene.ts'

const SIZE: Size = [80, 45]
let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  path = join(folder, 'some.ndjson')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The recording with its lines changed. */
const change = (how: (lines: string[]) => string[]): void =>
  writeFileSync(path, how(readFileSync(path, 'utf8').trimEnd().split('\n')).join('\n'))

describe('a recording', () => {
  it('is read as it was written: facts, and every strategy’s frames', async () => {
    await writeRecording(path, SIZE, 3, ['static-blocks', 'pbt'])
    const recording = await readRecording(path)
    expect(recording.header).toMatchObject(recordingFacts(SIZE))
    expect([...recording.runs.keys()]).toEqual(['static-blocks', 'pbt'])
    const [first] = framesFrom(path, recording)
    expect(first!.live!.frameMs).toBe(100)
    expect(first!.costs.depths).toEqual(bodyCosts(SIZE, 8).depths)
    expect(first!.costs.total).toBeCloseTo(bodyCosts(SIZE, 8).total, 4)
    expect(framesFrom(path, recording, 'pbt').map(({ frame }) => frame)).toEqual([0, 1, 2])
    expect(() => framesFrom(path, recording, 'none')).toThrow(
      'expected frames of one of static-blocks, pbt, got --from none',
    )
    expect(readdirSync(folder)).toEqual(['some.ndjson'])
  })

  it('tells what else the host did, where that is known', async () => {
    const load = { wallMs: 1000, cores: 2, otherMs: 300 }
    await withRecording(path, async recorder => {
      for (const strategy of ['static-blocks', 'pbt'])
        await recorder!.frame(recordingFacts(SIZE), recordedLine(SIZE, 0, strategy))
      recorder!.load('static-blocks', load)
      recorder!.load('pbt', undefined)
    })
    expect([...(await readRecording(path)).loads]).toEqual([['static-blocks', load]])
    await writeRecording(path, SIZE, 1, ['pbt'])
    expect((await readRecording(path)).loads.size).toBe(0)
  })

  it('is whole or absent', async () => {
    await expect(
      withRecording(path, async recorder => {
        await recorder!.frame(recordingFacts(SIZE), recordedLine(SIZE, 0, 'pbt'))
        throw new Error('interrupted')
      }),
    ).rejects.toThrow('interrupted')
    await withRecording(path, async () => {})
    expect(readdirSync(folder)).toEqual([])
    expect(await withRecording(undefined, async recorder => recorder)).toBeUndefined()
  })

  it('is not begun where it cannot be put', async () => {
    await expect(withRecording(folder, async () => {})).rejects.toThrow(
      `--record ${folder}: expected a writable file, got a folder`,
    )
    writeFileSync(path, '')
    await expect(withRecording(join(path, 'below'), async () => {})).rejects.toThrow(
      'got a file in place of its folder',
    )
  })

  it('takes fine costs out of reports', async () => {
    const { live, costs } = recordedLine(SIZE, 5, 'pbt')
    const facts = recordingFacts(SIZE)
    const spans = [
      { kind: 'render', frame: 5, worker: 'a', start: 1, end: 4 },
      { kind: 'transmit', frame: 5, worker: 'a', start: 4, end: 6 },
      { kind: 'transmit', frame: 5, worker: 'b', start: 4, end: 9 },
    ]
    const report = { ...live!, ...facts, frame: 5, strategy: 'pbt', recorded: costs, spans } as unknown as FrameReport
    const scene = {
      name: 'tent',
      triangles: 6,
      floorTriangles: 0,
      held: { ...smallScene(), hash: facts.scene.sha256 },
      exposure: 1,
      cameraPath: 'orbit' as const,
      cameraAt: (frame: number) => recordedLine(SIZE, frame, 'pbt').camera,
    }
    const options = { size: SIZE, quality: facts.quality, clock: 'cpu' as const, strategy: facts.options }
    await withRecording(path, async recorder => {
      expect(await recordLive(recorder, scene, options, report, scene.cameraAt(report.frame))).not.toHaveProperty(
        'recorded',
      )
    })
    const [frame] = framesFrom(path, await readRecording(path))
    expect(frame).toMatchObject({ frame: 5, camera: scene.cameraAt(5), live })
    expect(await recordLive(undefined, scene, options, report, scene.cameraAt(report.frame))).not.toHaveProperty(
      'recorded',
    )
  })
})

describe('what is no whole recording of this version', () => {
  beforeEach(() => writeRecording(path, SIZE, 2, ['pbt']))

  it.each([
    ['nothing', () => [], 'expected a recording, got an empty file'],
    ['some other JSON', () => ['{"a":1}'], 'expected a recording of sortfirst, got another file'],
    ['no JSON', () => ['ply'], 'line 1: expected JSON'],
    [
      'another version',
      ([head, ...rest]) => [head!.replace('"version":2', '"version":3'), ...rest],
      'expected version 2, got 3',
    ],
    ['a lost end', lines => lines.slice(0, -1), 'expected a last line after 2 frames, got the end of the file'],
    ['half a line', lines => [...lines.slice(0, 2), lines[2]!.slice(0, 99)], 'line 3: expected JSON'],
    ['a lost frame', lines => lines.toSpliced(1, 1), 'expected 2 frames, got 1'],
    ['something after its end', lines => [...lines, '{}'], 'line 5: expected nothing after its last line'],
    [
      'costs of another size',
      ([head, ...rest]) => [head!.replace('[80,45]', '[90,45]'), ...rest],
      'line 2: its costs are not those of 90x45 px',
    ],
    ['a frame that is none', lines => lines.toSpliced(1, 1, '{"frame":-1}'), 'line 2:'],
  ] as [string, (lines: string[]) => string[], string][])(
    'is refused with a sentence: %s',
    async (_, how, sentence) => {
      change(how)
      const reading = readRecording(path)
      await expect(reading).rejects.toThrow(`recording ${path}: ${sentence}`)
      await expect(reading).rejects.toMatchObject({ code: 'BAD_RECORDING', exitCode: 2 })
    },
  )

  it('is refused where it is not there', async () => {
    await expect(readRecording(join(folder, 'none.ndjson'))).rejects.toThrow(RecordingError)
    await expect(readRecording(folder)).rejects.toThrow('expected a readable file, got an error')
  })
})
