import fc from 'fast-check'
import { Box3, PerspectiveCamera, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { cameraAt, cameraFrom, DEFAULT_FRAMING, type Framing, isCut } from '../../../scenes/cameras/camera-paths.ts'
import { CAMERA_PATHS } from '../../../scenes/cameras/camera-words.ts'
import type { Camera, Vec3 } from '../../../shared/frame/view.ts'

const length = (v: Vec3) => Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

/** Where a point appears on the image plane, [-1, 1]²; undefined behind the eye. */
function project(camera: Camera, point: Vec3): [number, number] | undefined {
  const d = minus(point, camera.origin)
  const depth = -dot(d, camera.back)
  if (depth <= 0) return undefined
  return [dot(d, camera.right) / (depth * camera.tanHalfX), dot(d, camera.up) / (depth * camera.tanHalfY)]
}

const SUBJECT = new Box3(new Vector3(-1.5, 0, -0.6), new Vector3(1.5, 2, 0.6))
const viewed = (framing: Partial<Framing> = {}, subject = SUBJECT) => ({
  subject,
  framing: { ...DEFAULT_FRAMING, ...framing },
})
const at = (path: (typeof CAMERA_PATHS)[number], frame: number, framing?: Partial<Framing>) =>
  cameraAt(path, viewed(framing), frame, 16 / 9)

describe('camera paths', () => {
  it('are right-handed, of unit axes, upright and above the floor, for any subject, frame and aspect', () => {
    const size = fc.double({ min: 1e-3, max: 1e3, noNaN: true })
    const where = fc.double({ min: -1e3, max: 1e3, noNaN: true })
    fc.assert(
      fc.property(
        fc.constantFrom(...CAMERA_PATHS),
        fc.constantFrom('swoop' as const, 'truck' as const),
        fc.tuple(size, size, size, where, where, where),
        fc.nat(2000),
        fc.constantFrom(16 / 9, 1, 0.4, 3),
        (path, flyThrough, [w, h, d, x, y, z], frame, aspect) => {
          const subject = new Box3(new Vector3(x, y, z), new Vector3(x + w, y + h, z + d))
          const camera = cameraAt(path, viewed({ flyThrough, shift: [0.3, -0.4] }, subject), frame, aspect)
          for (const axis of [camera.right, camera.up, camera.back]) expect(length(axis)).toBeCloseTo(1, 12)
          expect(length(minus(cross(camera.right, camera.up), camera.back))).toBeLessThan(1e-12)
          expect(camera.up[1]).toBeGreaterThan(0)
          expect(camera.origin[1]).toBeGreaterThan(y)
          expect(camera.tanHalfX / camera.tanHalfY).toBeCloseTo(aspect, 12)
          expect(camera.near).toBeGreaterThan(0)
          expect(camera.far).toBeGreaterThan(camera.near)
          // The eye is never within the subject.
          expect(subject.containsPoint(new Vector3(...camera.origin))).toBe(false)
        },
      ),
    )
  })

  it('depend on the frame alone: the same bits in any order', () => {
    for (const path of CAMERA_PATHS) {
      const forward = [0, 1, 2, 3, 40].map(frame => at(path, frame))
      const backward = [40, 3, 2, 1, 0].map(frame => at(path, frame)).reverse()
      expect(forward).toEqual(backward)
    }
  })

  it('show the whole subject, and fill the frame with it as asked', () => {
    for (const aspect of [16 / 9, 0.5]) {
      let widest = 0
      for (let frame = 0; frame < 144; frame++) {
        const camera = cameraAt('orbit', viewed({ fill: 0.8 }), frame, aspect)
        for (const point of corners(SUBJECT))
          for (const value of project(camera, point)!) widest = Math.max(widest, Math.abs(value))
      }
      expect(widest).toBeGreaterThan(0.74)
      expect(widest).toBeLessThanOrEqual(0.8 + 1e-9)
    }
  })

  it('put the subject where the framing wants it', () => {
    const [x, y] = project(at('still', 0, { shift: [0.5, -0.4], fill: 0.3 }), [0, 1, 0])!
    expect(Math.abs(x - 0.5)).toBeLessThan(0.08)
    expect(Math.abs(y + 0.4)).toBeLessThan(0.08)
    expect(project(at('orbit', 7), [0, 1, 0])!.map(v => Math.abs(v) < 1e-9)).toEqual([true, true])
  })

  it('orbit turns by a constant small angle; still never moves', () => {
    for (let frame = 0; frame < 50; frame++) {
      const turned = dot(at('orbit', frame).right, at('orbit', frame + 1).right)
      expect(Math.acos(turned)).toBeCloseTo((2 * Math.PI) / 144, 9)
      expect(at('still', frame)).toEqual(at('orbit', 0))
    }
    expect(dot(at('fast-orbit', 3).right, at('fast-orbit', 4).right)).toBeCloseTo(Math.cos((5 * Math.PI) / 180), 9)
    expect(at('orbit', 144).origin[0]).toBeCloseTo(at('orbit', 0).origin[0], 12)
  })

  it('cut jumps every ten frames, and only there', () => {
    expect(Array.from({ length: 41 }, (_, frame) => frame).filter(frame => isCut('cut', frame))).toEqual([
      10, 20, 30, 40,
    ])
    expect(CAMERA_PATHS.filter(path => isCut(path, 10))).toEqual(['cut'])
    for (let frame = 1; frame <= 40; frame++) {
      const step = length(minus(at('cut', frame).origin, at('cut', frame - 1).origin))
      if (isCut('cut', frame)) expect(step).toBeGreaterThan(1)
      else expect(step).toBeLessThan(0.5)
    }
    expect(at('cut', 23)).toEqual(at('orbit', 23))
  })

  it('pan turns about 4° a frame, 14° to either side, and comes nearer meanwhile', () => {
    const ahead = at('pan', 0)
    const turnedBy = (a: Camera, b: Camera) => (Math.acos(Math.min(1, dot(a.right, b.right))) * 180) / Math.PI
    const frames = Array.from({ length: 57 }, (_, frame) => at('pan', frame))
    expect(Math.max(...frames.map(camera => turnedBy(ahead, camera)))).toBeCloseTo(14, 0)
    const steps = frames.slice(1).map((camera, i) => turnedBy(camera, frames[i]!))
    expect(steps.reduce((sum, step) => sum + step, 0) / steps.length).toBeCloseTo(4, 0)
    expect(ahead).toEqual(at('orbit', 0))
    const distance = (camera: Camera) => length(minus(camera.origin, [0, 1, 0]))
    expect(distance(at('pan', 20)) / distance(ahead)).toBeCloseTo(0.7, 3)
    expect(distance(at('pan', 40)) / distance(ahead)).toBeCloseTo(1, 9)
  })

  it('fly-through comes close and moves smoothly; a truck takes the subject across the screen', () => {
    const distance = (frame: number) => length(minus(at('fly-through', frame).origin, [0, 1, 0]))
    expect(distance(20)).toBeLessThan(distance(0) * 0.6)
    for (let frame = 1; frame < 80; frame++)
      expect(length(minus(at('fly-through', frame).origin, at('fly-through', frame - 1).origin))).toBeLessThan(0.6)
    const screenX = (frame: number) => project(at('fly-through', frame, { flyThrough: 'truck' }), [0, 1, 0])![0]
    expect(screenX(0)).toBeCloseTo(-0.72, 6)
    expect(screenX(22)).toBeCloseTo(0.72, 6)
  })

  it('carry a lens if the framing has one, focused on a point or on the subject', () => {
    const optics = { fNumber: 2, filmHeight: 0.024 }
    for (const path of CAMERA_PATHS) {
      const camera = at(path, 5, { optics, fovDegrees: 90 })
      expect(camera.lens!.radius).toBeCloseTo(0.003, 12)
      const depth = dot(minus(camera.origin, [0, 1, 0]), camera.back)
      expect(camera.lens!.focus).toBeCloseTo(Math.max(depth, camera.near), 12)
      expect(at(path, 5)).not.toHaveProperty('lens')
    }
    const near = at('still', 0, { optics: { ...optics, focus: [0, 1, 0.5] } })
    expect(near.lens!.focus).toBeLessThan(at('still', 0, { optics }).lens!.focus)
  })

  it('have a subject even where it has no width', () => {
    for (const tip of [new Vector3(0, 3, 0), new Vector3(0, 0, 0)]) {
      const camera = cameraAt('orbit', viewed({}, new Box3(new Vector3(), tip)), 3, 1)
      expect([...camera.origin, ...camera.back].every(Number.isFinite)).toBe(true)
    }
    expect(() => cameraAt('orbit', viewed({}, new Box3()), 0, 1)).toThrow('needs a subject')
  })
})

describe('a three camera', () => {
  it('keeps field of view, zoom, depth range and place; its scale does not matter', () => {
    const camera = new PerspectiveCamera(90, 1, 0.5, 70)
    camera.zoom = 2
    camera.position.set(1, 2, 3)
    camera.rotation.set(0.3, -0.5, 0.1)
    camera.scale.setScalar(3)
    camera.updateMatrixWorld()
    const plain = cameraFrom(camera, 2)
    expect(plain.origin).toEqual([1, 2, 3])
    expect(plain.tanHalfY).toBeCloseTo(0.5, 15)
    expect(plain.tanHalfX).toBeCloseTo(1, 15)
    expect([plain.near, plain.far]).toEqual([0.5, 70])
    expect(length(plain.up)).toBeCloseTo(1, 15)
  })

  it('projects points to where three projects them', () => {
    const camera = new PerspectiveCamera(47, 1.6, 0.1, 100)
    camera.position.set(3, 1, -4)
    camera.lookAt(0.2, 0.3, 0.1)
    camera.updateMatrixWorld()
    const point = new Vector3(0.4, 0.9, 0.2)
    const [x, y] = project(cameraFrom(camera, 1.6), [point.x, point.y, point.z])!
    point.project(camera)
    expect(x).toBeCloseTo(point.x, 12)
    expect(y).toBeCloseTo(point.y, 12)
  })
})

function corners({ min, max }: Box3): Vec3[] {
  return [min.x, max.x].flatMap(x => [min.y, max.y].flatMap(y => [min.z, max.z].map((z): Vec3 => [x, y, z])))
}
