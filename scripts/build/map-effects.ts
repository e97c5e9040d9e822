/** The kernel's code for textures that scale properties of a material (`worker/engine/wasm/records/map-effects.ts`), in AssemblyScript. */
import type { MapEffect } from '../../worker/engine/wasm/records/map-effects.ts'
import { MATERIAL } from '../../worker/engine/wasm/records/material.ts'
import { capital, upper } from './accessors.ts'

const CHANNELS = ['red', 'green', 'blue', 'opacity'] as const

export function mapEffectsOf(effects: Readonly<Record<string, MapEffect>>): string {
  const cases = Object.entries(effects).flatMap(([name, { scales }]) => {
    if (!scales) return []
    const { field, by } = scales
    const { scalar } = MATERIAL.fields[field]
    const scaled = (key: string, channel: number) => {
      const factor = `f32x4.extract_lane(texel, ${channel})`
      const own = scalar === 'f32' ? factor : `<${scalar}>${factor}`
      return `Material.set${capital(key)}(own, Material.${key}(own) * ${own})`
    }
    const lines =
      by === 'rgb'
        ? ['Red', 'Green', 'Blue'].map((part, channel) => scaled(field + part, channel))
        : [scaled(field, CHANNELS.indexOf(by))]
    return [
      `    if (name == MapName.${upper(name)}) {`,
      ...[...lines, 'return true'].map(line => `      ${line}`),
      '    }',
    ]
  })
  return [
    'export namespace MapEffect {',
    "  /** Multiplies what a texture scales of a hit's own material by a texel; false if the texture does something else. */",
    '  @inline export function scale(own: u32, name: u32, texel: v128): bool {',
    ...cases,
    '    return false',
    '  }',
    '}',
    '',
  ].join('\n')
}
