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

  /** @returns its index, for the methods below */
  material(properties: Partial<Material>): number {
    return this.#materials.push({ ...DEFAULT_MATERIAL, ...properties }) - 1
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

  /** A ball of facets, with its poles on the y axis. `rounded`: shaded as a sphere. */
  ball(material: number, center: Vec3, radius: number, { slices = 16, stacks = 8, rounded = false } = {}): void {
    const unit = (slice: number, stack: number): Vec3 => {
      const [azimuth, polar] = [(2 * Math.PI * (slice % slices)) / slices, (Math.PI * stack) / stacks]
      return [Math.sin(polar) * Math.cos(azimuth), Math.cos(polar), Math.sin(polar) * Math.sin(azimuth)]
    }
    const patch = (a: Vec3, b: Vec3, c: Vec3): void => {
      const at = (normal: Vec3): Vec3 => add(center, scale(normal, radius))
      this.triangle(material, [at(a), at(b), at(c)], rounded ? [a, b, c] : undefined)
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

  build(environment: Environment, lights: readonly Light[] = []): PlainScene {
    return {
      positions: Float64Array.from(this.#positions),
      normals: Float64Array.from(this.#normals),
      materialIds: Uint16Array.from(this.#materialIds),
      materials: [...this.#materials],
      lights,
      environment,
    }
  }
}
