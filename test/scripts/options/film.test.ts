import { describe, expect, it } from 'vitest'
import type { Words } from '../../../scripts/options/declare/group.ts'
import type { CameraList } from '../../../scripts/options/groups/camera-file.ts'
import { type FilmTime, resolveTime } from '../../../scripts/options/groups/film.ts'
import { readRun } from '../../../scripts/options/groups/index.ts'

const cameras = (length: number): CameraList => ({ file: 'walk.json', viewpoints: [], length, sha256: 'ab' })

const timeOf = ({ cameras, ...words }: Words & { cameras?: CameraList }, otherwise?: number): FilmTime =>
  resolveTime(readRun('render', words), cameras, otherwise)

describe('frames and their time', () => {
  it.each<[Words, number, number, number]>([
    [{}, 0, 20, 24],
    [{ fps: '23.976' }, 0, 20, 23.976],
    [{ frames: '10..19', fps: '1' }, 10, 10, 1],
    [{ duration: '2' }, 0, 48, 24],
    [{ duration: '1.5', fps: '25' }, 0, 38, 25],
    [{ duration: '10', fps: '23.976' }, 0, 240, 23.976],
    [{ duration: '0.001' }, 0, 1, 24],
    [{ duration: '1000', fps: '1000' }, 0, 1_000_000, 1000],
    [{ duration: '0.125', cameras: cameras(3) }, 0, 3, 24],
    [{ duration: '3', cameras: cameras(1) }, 0, 72, 24],
  ])('of %j', (raw, firstFrame, frames, fps) => expect(timeOf(raw)).toEqual({ firstFrame, frames, fps }))

  it('are one frame by default where a run is a still, unless a length is given', () => {
    expect(timeOf({}, 1).frames).toBe(1)
    expect(timeOf({ duration: '1' }, 1).frames).toBe(24)
  })

  it.each<[Words, string]>([
    [{ fps: '0.5' }, "--fps: expected a number from 1 to 1000, got '0.5'"],
    [{ fps: '24fps' }, "--fps: expected a number from 1 to 1000, got '24fps'"],
    [{ fps: '' }, "got ''"],
    [{ duration: '0' }, "--duration: expected a number from 0.001 to 41666, got '0'"],
    [{ duration: '1001', fps: '1000' }, "--duration: expected a number from 0.001 to 1000, got '1001'"],
    [{ duration: '2 s' }, "got '2 s'"],
    [{ duration: '2', frames: '48' }, '--duration cannot be combined with --frames: both say how many there are'],
    [
      { duration: '2', cameras: cameras(40) },
      '--duration: expected at most the 40 frames that walk.json has cameras for, got 48 (2 s of 24 per second)',
    ],
  ])('%j is refused', (raw, sentence) => expect(() => timeOf(raw)).toThrow(sentence))
})
