import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Words } from '../../../scripts/options/declare/group.ts'
import { type CameraOptions, resolveCamera } from '../../../scripts/options/groups/camera.ts'
import { type CameraList, camerasOf, readCameras } from '../../../scripts/options/groups/camera-file.ts'
import { type FrameRange, resolveFrames } from '../../../scripts/options/groups/film.ts'
import { readRun } from '../../../scripts/options/groups/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const cameraOf = (words: Words, over: FrameRange, cameras?: CameraList): CameraOptions =>
  resolveCamera(readRun('render', words), over, cameras)
const framesOf = (frames: string | undefined, cameras?: CameraList): FrameRange =>
  resolveFrames(readRun('render', { frames }).frames, cameras)

const twenty = { firstFrame: 0, frames: 20 }
const [a, b] = [{ eye: [1, 2, 3] }, { eye: [3, 2, 1], target: [0, 1, 0], up: [0, 0, 1], fov: 30 }]

describe('words about the camera', () => {
  it('say a path', () => {
    expect(cameraOf({}, twenty)).toBe(undefined)
    expect(cameraOf({ camera: 'pan' }, twenty)).toBe('pan')
    expect(cameraOf({ cameraPath: 'pan' }, twenty)).toBe('pan')
  })

  it.each<[string, Words, object]>([
    ['a lens alone', { fov: '20' }, { kind: 'path', path: undefined, fov: 20 }],
    ['a range', { cameraPath: 'orbit:-30..90.5' }, { kind: 'sweep', from: -30, to: 90.5, over: twenty }],
    ['an eye alone', { eye: '1, 2,-3e1' }, { kind: 'still', viewpoint: { eye: [1, 2, -30] } }],
    [
      'all of a camera',
      { eye: '1,2,3', target: '0,0,0', up: '0,0,1', fov: '40' },
      { kind: 'still', viewpoint: { eye: [1, 2, 3], target: [0, 0, 0], up: [0, 0, 1] }, fov: 40 },
    ],
  ])('%s', (_, raw, expected) => expect(cameraOf(raw, twenty)).toMatchObject(expected))

  it.each<[string, Words, string]>([
    [
      'an eye of two numbers',
      { eye: '1,2' },
      "--eye: expected three comma-separated numbers, such as 1.5,2,-3, got '1,2'",
    ],
    ['an eye beyond everything', { eye: '1,2,1e300' }, '--eye: expected three comma-separated numbers'],
    ['a target of words', { eye: '1,2,3', target: 'a,b,c' }, '--target: expected three comma-separated numbers'],
    [
      'an up that is neither',
      { eye: '1,2,3', up: 'w' },
      '--up: expected three comma-separated numbers, such as 1.5,2,-3, or an axis: x, y',
    ],
    ['a target without an eye', { target: '1,2,3' }, '--target needs --eye'],
    [
      'an up without an eye',
      { up: '1,2,3' },
      '--up: expected the axis of a mesh that points up (x, y, z, -x, -y, -z), or a vector with --eye',
    ],
    ['an eye on a path', { eye: '1,2,3', camera: 'pan' }, '--eye cannot be combined with --camera'],
    ['an eye on a range', { eye: '1,2,3', cameraPath: 'orbit:1..2' }, '--eye cannot be combined with --camera-path'],
    ['two paths', { camera: 'pan', cameraPath: 'pan' }, '--camera-path cannot be combined with --camera'],
    ['a lens as wide as a plane', { fov: '180' }, '--fov: expected a number from 0.1 to 179'],
    ['a range of another path', { cameraPath: 'pan:1..2' }, 'expected a range only after orbit'],
    ['half a range', { cameraPath: 'orbit:30' }, 'expected a range in degrees, such as orbit:30..90'],
    ['a range of three', { cameraPath: 'orbit:1..2..3' }, 'expected a range in degrees'],
    ['a range without an end', { cameraPath: 'orbit:30..' }, '--camera-path orbit:30..: expected a number'],
    ['a range of nothing known', { cameraPath: 'orbti:1..2' }, "unknown camera path 'orbti'"],
  ])('%s is refused', (_, raw, problem) => expect(() => cameraOf(raw, twenty)).toThrow(problem))
})

describe('a file of cameras', () => {
  it.each<[string, unknown, unknown[]]>([
    ['one', a, [a]],
    ['a list', [a, b], [a, b]],
    ['frames', { frames: [a, b], note: 'x' }, [a, b]],
    ['a job of a renderer', { mesh: 'm.ply', camera: { ...a, vfov: 40, roll: 0 }, jobs: [] }, [{ ...a, fov: 40 }]],
    ['other words for the lens', [{ ...a, vfov: 40 }], [{ ...a, fov: 40 }]],
  ])('%s', async (_, content, viewpoints) => {
    expect((await readCameras(file('film.json', content))).viewpoints).toEqual(viewpoints)
  })

  it.each<[string, unknown, string]>([
    ['text', 'eye 1 2 3', 'is not valid JSON: '],
    ['no camera', [], 'expected at least one camera, got none'],
    ['no frames', { frames: [] }, 'expected at least one camera, got none'],
    ['a camera without an eye', [a, { target: [0, 0, 0] }], 'camera of frame 1: expected { eye, target, up, fov }'],
    ['a word misspelt', { ...a, traget: [0, 0, 0] }, 'traget'],
    ['a lens that is none', { ...a, fov: 0 }, 'fov'],
    ['two numbers', { eye: [1, 2] }, 'eye'],
    ['null', 'null', 'camera: expected { eye, target, up, fov }'],
  ])('%s is refused in one sentence', async (_, content, problem) => {
    const path = file('wrong.json', content)
    const error = await readCameras(path).catch(error => error)
    expect(error).toMatchObject({ code: 'BAD_CAMERA_FILE', exitCode: 2, path })
    expect(error.message).toContain(problem)
    expect(error.message).not.toContain('\n')
  })

  it('that is not there, or no file, is refused', async () => {
    await expect(readCameras(join(folder, 'none.json'))).rejects.toThrow('none.json: no such file')
    await expect(readCameras(folder)).rejects.toThrow('expected a file, got a folder')
  })

  it('is read where --camera names one: one camera stands still, several are those of as many frames', async () => {
    expect(await camerasOf({ camera: 'pan' })).toBe(undefined)
    const one = { camera: file('one.JSON', b) }
    expect(cameraOf(one, twenty, await camerasOf(one))).toMatchObject({ kind: 'still', viewpoint: b })
    const two = { camera: file('two.json', [a, b]), fov: '50' }
    expect(cameraOf(two, twenty, await camerasOf(two))).toMatchObject({
      kind: 'listed',
      cameras: { file: 'two.json', length: 2 },
      fov: 50,
    })
    expect(() => cameraOf({ ...two, eye: '1,2,3' }, twenty)).toThrow('--eye cannot be combined with --camera')
  })
})

describe('words about frames', () => {
  const { viewpoints, ...rest } = { viewpoints: [], file: 'film.json', sha256: 'ab' }
  const cameras = (length: number) => ({ ...rest, viewpoints, length })

  it.each([
    [undefined, undefined, 0, 20],
    ['7', undefined, 0, 7],
    ['10..19', undefined, 10, 10],
    ['3..3', undefined, 3, 1],
    [undefined, 1, 0, 1],
    [undefined, 5, 0, 5],
    ['30', 1, 0, 30],
    ['3..4', 5, 3, 2],
  ])('%s with %s cameras', (text, length, firstFrame, frames) => {
    expect(framesOf(text, length === undefined ? undefined : cameras(length))).toEqual({ firstFrame, frames })
  })

  it.each([
    ['0', 'expected a whole number from 1'],
    ['19..10', 'expected the first and the last frame'],
    ['0..1000000', 'not above 999999'],
    ['1..', 'such as 10..19'],
    ['-1..4', 'such as 10..19'],
    ['all', 'such as 10..19'],
  ])('%s is refused', (text, problem) => expect(() => framesOf(text)).toThrow(problem))

  it('there are no more frames than cameras', () => {
    const expected = '--frames: expected at most the 3 frames that film.json has cameras for, got'
    expect(() => framesOf('4', cameras(3))).toThrow(`${expected} 4`)
    expect(() => framesOf('2..3', cameras(3))).toThrow(`${expected} 2..3`)
  })
})
