/** Triangles of simple bodies. Coordinates are rounded to floats, so that every tracer sees the same ones. */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Environment } from '../../../../shared/scene/environment.ts'
import type { Light } from '../../../../shared/scene/light.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../../shared/scene/material.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import { add, cross, isZero, normalize, scale, subtract } from '../model/vector.ts'

export class SceneBuilder {
  readonly #positions: number[] = []
  readonly #normals: number[] = []
  readonly #materialIds: number[] = []
  readonly #materials: Material[] = []
  readonly #outers = new Map<number, number>()

  /** @returns its index, for the methods below */
  material(properties: Partial<Material>): number {
    return this.#materials.push({ ...DEFAULT_MATERIAL, ...properties }) - 1
  }

  #outer: number | undefined

  /** What is added meanwhile has a solid of this material on its outer side. */
  inside(outer: number, add: () => void): void {
    this.#outer = outer
    add()
    this.#outer = undefined
  }

  /** Counter-clockwise seen from outside. Without `normals` it is flat. Without area it is left out: nothing can hit it. */
  triangle(material: number, corners: readonly [Vec3, Vec3, Vec3], normals?: readonly [Vec3, Vec3, Vec3]): void {
    const [a, b, c] = corners.map(corner => corner.map(Math.fround) as unknown as Vec3) as [Vec3, Vec3, Vec3]
    const area = cross(subtract(b, a), subtract(c, a))
    if (isZero(area)) return
    const flat = normalize(area)
    this.#positions.push(...a, ...b, ...c)
    this.#normals.push(...(normals ?? [flat, flat, flat]).flat())
    this.#materialIds.push(material)
    if (this.#outer !== undefined) this.#outers.set(this.#materialIds.length - 1, this.#outer)
  }

  /** A flat quadrilateral, corners counter-clockwise seen from outside. */
  quad(material: number, [a, b, c, d]: readonly [Vec3, Vec3, Vec3, Vec3]): void {
    this.triangle(material, [a, b, c])
    this.triangle(material, [a, c, d])
  }

  /** A parallelogram around `center`; outside is `across` × `up`, given from its centre to the middles of two sides. */
  rectangle(material: number, center: Vec3, across: Vec3, up: Vec3): void {
    const corner = (x: number, y: number): Vec3 => add(center, add(scale(across, x), scale(up, y)))
    this.quad(material, [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)])
  }

  /** `half`: from the centre to its sides; `turns`: around +Y. `inwards`: its outside is the inside of the box, a room. */
  box(material: number, center: Vec3, half: Vec3, { turns = 0, inwards = false } = {}): void {
    const [cosine, sine] = [Math.cos(2 * Math.PI * turns), Math.sin(2 * Math.PI * turns)]
    const axes: [Vec3, Vec3, Vec3] = [
      [half[0] * cosine, 0, -half[0] * sine],
      [0, half[1], 0],
      [half[2] * sine, 0, half[2] * cosine],
    ]
    for (const i of [0, 1, 2] as const) {
      for (const sign of [-1, 1]) {
        const [across, up] = [axes[((i + 1) % 3) as 0]!, axes[((i + 2) % 3) as 0]!]
        const outwards = sign > 0 !== inwards
        this.rectangle(
          material,
          add(center, scale(axes[i], sign)),
          ...((outwards ? [across, up] : [up, across]) as [Vec3, Vec3]),
        )
      }
    }
  }

  /** A ball of facets, with its poles on the y axis. `rounded`: shaded as a sphere. `inwards`: a hollow, whose outside is in it. */
  ball(
    material: number,
    center: Vec3,
    radius: number,
    { slices = 16, stacks = 8, rounded = false, inwards = false } = {},
  ): void {
    const unit = (slice: number, stack: number): Vec3 => {
      const [azimuth, polar] = [(2 * Math.PI * (slice % slices)) / slices, (Math.PI * stack) / stacks]
      return [Math.sin(polar) * Math.cos(azimuth), Math.cos(polar), Math.sin(polar) * Math.sin(azimuth)]
    }
    const patch = (a: Vec3, ...[second, third]: [Vec3, Vec3]): void => {
      const [b, c] = inwards ? [third, second] : [second, third]
      const at = (normal: Vec3): Vec3 => add(center, scale(normal, radius))
      this.triangle(
        material,
        [at(a), at(b), at(c)],
        rounded ? ([a, b, c].map(normal => scale(normal, inwards ? -1 : 1)) as [Vec3, Vec3, Vec3]) : undefined,
      )
    }
    for (let slice = 0; slice < slices; slice++) {
      for (let stack = 0; stack < stacks; stack++) {
        const [a, b] = [unit(slice, stack), unit(slice + 1, stack)]
        const [c, d] = [unit(slice, stack + 1), unit(slice + 1, stack + 1)]
        if (stack > 0) patch(a, b, c)
        if (stack < stacks - 1) patch(b, d, c)
      }
    }
  }

  /** What a profile makes around the vertical axis through `foot`: radii and heights; outside is to the right of its way. */
  lathe(
    material: number,
    foot: Vec3,
    profile: readonly (readonly [radius: number, height: number])[],
    slices = 12,
  ): void {
    const at = ([radius, height]: readonly [number, number], slice: number): Vec3 => {
      const angle = (2 * Math.PI * (slice % slices)) / slices
      return add(foot, [radius * Math.cos(angle), height, -radius * Math.sin(angle)])
    }
    for (const [i, to] of profile.entries()) {
      const from = profile[i - 1]
      for (let slice = 0; from && slice < slices; slice++)
        this.quad(material, [at(from, slice), at(from, slice + 1), at(to, slice + 1), at(to, slice)])
    }
  }

  build(environment: Environment, lights: readonly Light[] = []): PlainScene {
    return {
      positions: Float64Array.from(this.#positions),
      normals: Float64Array.from(this.#normals),
      materialIds: Uint16Array.from(this.#materialIds),
      materials: [...this.#materials],
      ...(this.#outers.size > 0 && { outers: new Map(this.#outers) }),
      lights,
      environment,
    }
  }
}
