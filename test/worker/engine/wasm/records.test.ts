/** Host and kernel read and write the same bytes of records, and nothing but their accessors computes where these are. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { main as compile } from 'assemblyscript/asc'
import { beforeAll, describe, expect, it } from 'vitest'
import { upper } from '../../../../scripts/build/accessors.ts'
import { hash32 } from '../../../../shared/math/random.ts'
import { MAP_NAMES } from '../../../../shared/scene/material.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import { get, put } from '../../../../worker/engine/wasm/records/access.ts'
import { RECORDS } from '../../../../worker/engine/wasm/records/index.ts'
import { MAP_EFFECTS } from '../../../../worker/engine/wasm/records/map-effects.ts'
import { MAPS, MATERIAL } from '../../../../worker/engine/wasm/records/material.ts'
import { f64, type RecordOf, reading, record, u32, xyz } from '../../../../worker/engine/wasm/records/record.ts'

const engine = fileURLToPath(new URL('../../../../../worker/engine/wasm/', import.meta.url))
const kernel = join(engine, 'kernel/')

/** A number that host and kernel both read and write: `part` is its place in a vector. */
interface Case {
  readonly of: RecordOf
  readonly field: string
  readonly accessor: string
  readonly part: number | undefined
}

const cases: readonly Case[] = RECORDS.flatMap(of =>
  Object.entries(of.fields).flatMap(([field, { kind, scalar, parts }]): Case[] => {
    if (scalar !== 'u32' && scalar !== 'f32' && scalar !== 'f64') return []
    if (kind === 'number') return [{ of, field, accessor: field, part: undefined }]
    if (kind !== 'vector') return []
    return parts.map((name, part) => ({ of, field, accessor: field + name, part }))
  }),
)

const setter = (name: string): string => `set${name[0]!.toUpperCase()}${name.slice(1)}`

const ENTRY = [
  `import { MapEffect, ${RECORDS.map(({ name }) => name).join(', ')} } from './records'`,
  ...cases.flatMap(({ of, field, accessor }, i) => {
    const at = of.at === undefined ? ['at'] : []
    const value = `<${of.fields[field]!.scalar}>value`
    return [
      `export function get${i}(at: u32): f64 { return <f64>${of.name}.${accessor}(${at.join()}) }`,
      `export function set${i}(at: u32, value: f64): void { ${of.name}.${setter(accessor)}(${[...at, value].join(', ')}) }`,
    ]
  }),
  'export function scale(own: u32, name: u32, red: f32, green: f32, blue: f32, opacity: f32): bool {',
  '  const texel = f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(red), 1, green), 2, blue)',
  '  return MapEffect.scale(own, name, f32x4.replace_lane(texel, 3, opacity))',
  '}',
].join('\n')

describe('a record', () => {
  const memory = KernelMemory.of(65536)
  let exports: Record<string, (...values: readonly number[]) => number>

  beforeAll(async () => {
    let binary: Uint8Array | undefined
    const options =
      '--runtime stub --importMemory --sharedMemory --initialMemory 1 --maximumMemory 65535 --enable simd,threads'
    const { error, stderr } = await compile(['entry.ts', ...options.split(' '), '--outFile', 'entry.wasm'], {
      readFile: name =>
        name === 'entry.ts' ? ENTRY : name === 'records.ts' ? readFileSync(join(kernel, name), 'utf8') : null,
      writeFile: (_, contents) => {
        binary = contents as Uint8Array
      },
      listFiles: () => [],
    })
    expect(`${error?.message ?? ''}${stderr.toString()}`).toBe('')
    const module = new WebAssembly.Module(binary as Uint8Array<ArrayBuffer>)
    const instance = new WebAssembly.Instance(module, { env: { memory: memory.memory } })
    exports = instance.exports as typeof exports
  })

  it('is read by the kernel as the host writes it, and the other way round', () => {
    expect(cases.length).toBeGreaterThan(200)
    cases.forEach(({ of, field, accessor, part }, i) => {
      const { scalar, count } = of.fields[field]!
      const at = of.at ?? 8192 + of.bytes
      const value = (salt: number) => (scalar === 'u32' ? hash32(i, salt) : Math.fround(hash32(i, salt) / 65536))
      memory.bytes.fill(0)
      const written = value(0)
      const numbers = Array.from({ length: count }, (_, k) => (k === part ? written : 1))
      put(memory, of, at, { [field]: part === undefined ? written : numbers } as object)
      const name = `${of.name}.${accessor}`
      expect(exports[`get${i}`]!(at), name).toBe(written)
      exports[`set${i}`]!(at, value(1))
      exports[`set${i}`]!(at, value(2))
      if (part === undefined) expect(get(memory, of, at, field as never), name).toBe(value(2))
      expect(exports[`get${i}`]!(at), name).toBe(value(2))
    })
  })

  it('of a material is scaled by textures as MAP_EFFECTS says, and nothing else of it changes', () => {
    const at = 8192
    const texel = { red: 0.5, green: 0.25, blue: 2, opacity: 4 }
    const numbers = Object.entries(MATERIAL.fields).flatMap(([name, { scalar, count }]) =>
      scalar === 'u32' ? [] : [[name, count === 1 ? 3 : Array.from({ length: count }, (_, k) => k + 3)] as const],
    )
    const bytesOf = () => memory.bytes.slice(at, at + MATERIAL.bytes)
    const scaling = MAP_NAMES.filter(name => {
      const { scales } = MAP_EFFECTS[name]
      const scale = () => exports.scale!(at, MAPS[name], ...Object.values(texel))
      put(memory, MATERIAL, at, Object.fromEntries(numbers))
      if (scales) {
        const { field, by } = scales
        const scaled = by === 'rgb' ? [3 * texel.red, 4 * texel.green, 5 * texel.blue] : 3 * texel[by]
        put(memory, MATERIAL, at, { [field]: scaled })
      }
      const expected = bytesOf()
      put(memory, MATERIAL, at, Object.fromEntries(numbers))
      expect(scale(), name).toBe(Number(scales !== undefined))
      expect(bytesOf(), name).toEqual(expected)
      return scales
    })
    expect(scaling.length).toBeGreaterThan(10)
  })

  it('has its fields one after the other, at multiples of their sizes', () => {
    const sample = record(
      'Sample',
      '',
      { count: u32(''), exact: f64(''), place: xyz('f32', ''), y: reading('place', u32(''), 4), last: u32('') },
      { align: 64 },
    )
    const offsets = Object.values(sample.fields).map(({ offset }) => offset)
    expect(offsets).toEqual([0, 8, 16, 20, 28])
    expect(sample.bytes).toBe(64)
    expect(() => record('Sample', '', { count: u32(''), exact: reading('count', f64(''), 4) })).toThrow('exact')
    for (const { name, fields, bytes, align } of RECORDS) {
      expect(bytes % align, name).toBe(0)
      for (const [field, { offset, bytes: own }] of Object.entries(fields))
        expect(offset + own, `${name}.${field}`).toBeLessThanOrEqual(bytes)
    }
  })
})

describe('offsets into records', () => {
  const textsIn = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
      .map(entry => join(entry.parentPath, entry.name))
      .map(path => ({ path: relative(engine, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }))
      .map(({ path, text }) => ({ path, text: text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '') }))
  const texts = textsIn(engine)

  it('are computed by the kernel in accessors only, but where the steps of tracing and building need them as constants', () => {
    /** Their bundles, contexts, stacks, bins and lists are their own, in folders of which no other file reads a word. */
    const OWN = ['kernel/trace/', 'kernel/build/']
    /** Loads that spread one number of a record to all lanes: there is no accessor of that kind. */
    const SPREADING = ['kernel/placed-triangle4.ts']
    /** Entries of tables, and bytes of pixels, which are no records. */
    const TABLES = {
      'kernel/path/lobes/albedo.ts': ['load<f32>(entry, 4)'],
      'kernel/path/lobes/principled/albedos.ts': ['load<f32>(entry, 4)'],
      'kernel/path/lights/map.ts': ['load<f32>(entry, 4)'],
      'kernel/ambient/sampling.ts': ['store<f64>(table + sample * 16, mirrored + 0.5 / <f64>samples, 8)'],
      'kernel/surface/texture.ts': ['load<u8>(texel, 1)', 'load<u8>(texel, 2)'],
      'kernel/surface/tone-map.ts': [3, 6, 9].map((at, i) => `store<u8>(out, ${byteOf(i + 1)}, ${at})`),
    }
    const kernelTexts = texts.filter(({ path }) => path.startsWith('kernel/') && path !== 'kernel/records.ts')
    expect(kernelTexts.length).toBeGreaterThan(60)
    const others = kernelTexts.filter(({ path }) => !OWN.some(folder => path.startsWith(folder)))
    const offsets = RECORDS.flatMap(({ name, fields }) => Object.keys(fields).map(field => `${name}.${upper(field)}`))
    const found = others.flatMap(({ path, text }) => [
      ...(SPREADING.includes(path) ? [] : offsets.filter(offset => new RegExp(`\\b${offset}\\b`).test(text))).map(
        offset => `${path}: ${offset}`,
      ),
      ...(SPREADING.includes(path) ? [] : accesses(text))
        .filter(access => !(TABLES as Record<string, readonly string[]>)[path]?.includes(access))
        .map(access => `${path}: ${access}`),
    ])
    expect(found).toEqual([])
    // Each exception is one.
    for (const [path, exceptions] of Object.entries(TABLES))
      expect(accesses(others.find(other => other.path === path)!.text), path).toEqual(exceptions)
  })

  it('are computed by the host in one file', () => {
    const host = texts.filter(({ path }) => !path.startsWith('kernel/') && path !== 'records/access.ts')
    expect(host.length).toBeGreaterThan(30)
    const wrong = host
      .filter(({ path }) => !path.startsWith('records/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\.fields\b|\w\[[^\]\n]*>>> ?[23]\]/g)].map(([match]) => `${path}: ${match}`),
      )
    expect(wrong).toEqual([])
  })
})

const byteOf = (lane: number): string =>
  `srgbByte(f32x4.extract_lane(light, ${lane}), i32x4.extract_lane(cells, ${lane}))`

/** Loads and stores of a text that have an offset. */
function accesses(text: string): string[] {
  return [...text.matchAll(/\b(?:(load|store)<\w+>|v128\.(load|store)\w*(?:<\w+>)?)\(/g)].flatMap(match => {
    const from = match.index + match[0].length
    let depth = 1
    let commas = 0
    let to = from
    for (; depth > 0; to++) {
      const letter = text[to]!
      if (letter === '(') depth++
      else if (letter === ')') depth--
      else if (letter === ',' && depth === 1) commas++
    }
    return commas > ((match[1] ?? match[2]) === 'store' ? 1 : 0) ? [text.slice(match.index, to)] : []
  })
}
