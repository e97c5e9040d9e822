/** A cube of torus knots, each turned in its own way: one mesh in many places. */
import { Euler, Matrix4, TorusKnotGeometry } from 'three'
import type { Size } from '../../../shared/frame/rect.ts'
import type { Quality, View } from '../../../shared/frame/view.ts'
import type { Instance, SceneDescription, SceneMesh } from '../../../shared/scene/description.ts'
import { DEFAULT_MATERIAL } from '../../../shared/scene/material.ts'

/** 144 × 14 quads. */
const ALONG = 144
const AROUND = 14
const RADIUS = 0.4
const SPACING = 2

/** @param copies at least 2 */
export function knots(copies: number): SceneDescription {
  const side = Math.ceil(Math.cbrt(copies))
  const next = numbers()
  const instances = Array.from({ length: copies }, (_, i): Instance => {
    const turn = new Matrix4().makeRotationFromEuler(new Euler(next() * 6, next() * 6, next() * 6)).transpose().elements
    const place = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)]
    const rows = place.map((at, row) => [
      ...turn.slice(row * 4, row * 4 + 3).map(x => x * RADIUS),
      (at - side / 2 + 0.3 * next()) * SPACING,
    ])
    return { mesh: 0, transform: rows.flat(), materials: [0] }
  })
  return {
    meshes: [knot()],
    instances,
    materials: [{ ...DEFAULT_MATERIAL, color: [0.7, 0.6, 0.5] }],
    textures: [],
    lights: [{ kind: 'distant', direction: [0.48, 0.64, 0.6], irradiance: [2, 2, 2], angle: 0 }],
    environment: { kind: 'sky', zenith: [0.3, 0.5, 0.9], horizon: [0.8, 0.85, 0.9], ground: [0.3, 0.28, 0.25] },
    centre: [0, 0, 0],
  }
}

/** Looks at the cube from the front, close enough for it to fill the frame. */
export function viewOfKnots(copies: number, size: Size, quality: Quality): View {
  const reach = SPACING * Math.ceil(Math.cbrt(copies))
  const tan = 0.4
  return {
    frame: 0,
    size,
    camera: {
      origin: [0, 0, 1.5 * reach],
      right: [1, 0, 0],
      up: [0, 1, 0],
      back: [0, 0, 1],
      tanHalfX: (tan * size[0]) / size[1],
      tanHalfY: tan,
      near: 0.01 * reach,
      far: 10 * reach,
    },
    quality,
    exposure: 1,
  }
}

function knot(): SceneMesh {
  const { attributes, index } = new TorusKnotGeometry(1, 0.35, ALONG, AROUND)
  const { position, normal } = attributes
  const vertices = new Float32Array(position!.count * 6)
  for (let i = 0; i < position!.count; i++) {
    vertices.set([position!.getX(i), position!.getY(i), position!.getZ(i)], i * 6)
    vertices.set([normal!.getX(i), normal!.getY(i), normal!.getZ(i)], i * 6 + 3)
  }
  const indices = Uint32Array.from(index!.array)
  return {
    attributes: ['position', 'normal'],
    vertices,
    indices,
    slots: new Uint16Array(indices.length / 3),
    slotCount: 1,
  }
}

/** The same numbers in [0, 1) each time. */
function numbers(): () => number {
  let state = 7
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
