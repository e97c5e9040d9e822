/** The structs of WGSL have the records' layout, by the rules of WGSL's specification (§14.4.1). */
import { describe, expect, it } from 'vitest'
import { RECORDS } from '../../../../worker/engine/wasm/records/index.ts'
import { f32, f64, lanes, list, record, u32, vector, xyz } from '../../../../worker/engine/wasm/records/record.ts'
import { wgslStruct } from '../../../../worker/engine/webgpu/wgsl-struct.ts'

interface Layout {
  readonly size: number
  readonly align: number
}

const roundUp = (multiple: number, bytes: number): number => Math.ceil(bytes / multiple) * multiple

/** Layouts of all structs of a text, and offsets of their members. */
function layoutsOf(text: string): Map<string, Layout & { readonly offsets: readonly number[] }> {
  const structs = new Map<string, Layout & { readonly offsets: readonly number[] }>()
  for (const [, name, body] of text.matchAll(/struct (\w+) \{\n([^}]*)\}/g)) {
    let [next, align] = [0, 1]
    const offsets = [...body!.matchAll(/^ {2}(.*?)(\w+): (.*),$/gm)].map(([, attributes, , type]) => {
      const own = layoutOf(type!)
      const least = Number(attributes!.match(/@align\((\d+)\)/)?.[1] ?? own.align)
      const offset = roundUp(least, next)
      next = offset + Number(attributes!.match(/@size\((\d+)\)/)?.[1] ?? own.size)
      align = Math.max(align, least)
      return offset
    })
    structs.set(name!, { size: roundUp(align, next), align, offsets })
  }
  return structs

  function layoutOf(type: string): Layout {
    const array = type.match(/^array<(.*), (\d+)>$/)
    if (array) {
      const { size, align } = layoutOf(array[1]!)
      return { size: Number(array[2]) * roundUp(align, size), align }
    }
    const count = type.match(/^vec([234])</)?.[1]
    if (count) return { size: Number(count) * 4, align: count === '2' ? 8 : 16 }
    if (type === 'u32' || type === 'f32') return { size: 4, align: 4 }
    return structs.get(type)!
  }
}

describe('a record as a struct of WGSL', () => {
  it('has its members where the kernel has them', () => {
    // Records before those that have lists of them.
    const sorted = RECORDS.toSorted((a, b) => Number(uses(a, b.name)) - Number(uses(b, a.name)))
    const expressible = sorted.filter(found => wgslStruct(found) !== undefined)
    const layouts = layoutsOf(expressible.map(wgslStruct).join('\n\n'))
    for (const { name, bytes, fields } of expressible) {
      const offsets = Object.values(fields).flatMap(({ over, offset }) => (over ? [] : [offset]))
      expect(layouts.get(name), name).toMatchObject({ size: bytes, offsets })
    }
    const names = expressible.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Ray', 'Hit', 'Surface', 'Vertex', 'Node', 'Triangle4', 'Texture']))
    expect(names).not.toContain('Material')
  })

  it('has gaps as sizes, and vectors where they are aligned', () => {
    const sample = record(
      'Sample',
      '',
      {
        count: u32(''),
        uv: vector('f32', ['U', 'V'], ''),
        four: lanes('f32', ''),
        point: xyz('f32', ''),
        reach: f32(''),
        rest: list('u32', 3, ''),
      },
      { align: 32 },
    )
    expect(wgslStruct(sample)).toBe(`struct Sample {
  @align(32) count: u32,
  @size(12) uv: array<f32, 2>,
  four: vec4<f32>,
  point: vec3<f32>,
  reach: f32,
  @size(16) rest: array<u32, 3>,
}`)
    expect(wgslStruct(record('Sample', '', { exact: f64('') }))).toBeUndefined()
  })
})

const uses = ({ fields }: (typeof RECORDS)[number], name: string): boolean =>
  Object.values(fields).some(({ of }) => of && (of.name === name || uses(of, name)))
