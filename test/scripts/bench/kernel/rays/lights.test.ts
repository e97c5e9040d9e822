/** Lights of the bench: rays go to points that are on them, on the side that shines. */
import { describe, expect, it } from 'vitest'
import { type Light, lightsAround, targetOn } from '../../../../../scripts/bench/kernel/rays/lights.ts'
import type { Vec3 } from '../../../../../shared/frame/view.ts'
import { hash32, unitOf } from '../../../../../shared/math/random.ts'

const sun: Vec3 = [0.6, 0.64, 0.48]
const region = { centre: [1, 2, 3] as Vec3, radius: 2 }
const lights = lightsAround(region, sun)
const ofKind = <K extends Light['kind']>(kind: K) =>
  lights.filter((light): light is Extract<Light, { kind: K }> => light.kind === kind)

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const plus = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]

/** Targets at random places of a light, seen from the middle of the region. */
const targets = (light: Light, from = region.centre) =>
  Array.from({ length: 200 }, (_, i) => targetOn(light, from, unitOf(hash32(i, 1)), unitOf(hash32(i, 2))))

describe('a ray to a light', () => {
  it('ends on a panel, which does not shine backwards', () => {
    for (const panel of ofKind('panel')) {
      for (const target of targets(panel)) {
        const place = minus(plus(region.centre, target!.vector), panel.centre)
        expect(target!.ends).toBe(true)
        expect(dot(place, panel.normal)).toBeCloseTo(0)
        for (const axis of [panel.across, panel.up])
          expect(Math.abs(dot(place, axis))).toBeLessThanOrEqual(dot(axis, axis))
      }
      const behind = minus(panel.centre, panel.normal)
      expect(targets(panel, behind)).toEqual(Array.from({ length: 200 }, () => undefined))
    }
  })

  it('ends on the near half of a lamp', () => {
    for (const lamp of ofKind('lamp'))
      for (const target of targets(lamp)) {
        const outward = minus(plus(region.centre, target!.vector), lamp.centre)
        expect(target!.ends).toBe(true)
        expect(Math.sqrt(dot(outward, outward))).toBeCloseTo(lamp.radius)
        expect(dot(outward, minus(region.centre, lamp.centre))).toBeGreaterThanOrEqual(0)
      }
  })

  it('goes on for ever to the sun and to the sky above', () => {
    for (const target of targets(ofKind('sun')[0]!)) {
      expect(target!.ends).toBe(false)
      expect(dot(target!.vector, sun) / Math.sqrt(dot(target!.vector, target!.vector))).toBeGreaterThan(0.9999)
    }
    for (const target of targets(ofKind('sky')[0]!)) {
      expect(target!.ends).toBe(false)
      expect(target!.vector[1]).toBeGreaterThanOrEqual(0)
    }
  })
})

it('sets most lights up near the region, outside of it', () => {
  expect(lights).toHaveLength(6)
  const near = [...ofKind('panel'), ...ofKind('lamp')]
  expect(near).toHaveLength(4)
  for (const { centre } of near) {
    const away = minus(centre, region.centre)
    const distance = Math.sqrt(dot(away, away))
    expect(distance).toBeGreaterThan(1.5 * region.radius)
    expect(distance).toBeLessThan(3 * region.radius)
  }
})
