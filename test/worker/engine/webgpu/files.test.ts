/** What is in WGSL is named after the kernel's, file by file, and of every file of the kernel it is known whether it is there, or what is refused. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOSTS } from './absent-files.ts'

const root = join(import.meta.dirname, '../../../../..')
const [kernel, device] = [join(root, 'worker/engine/wasm/kernel'), join(root, 'worker/engine/webgpu/kernel')]
const below = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts'))
/** Those that trace: a tree is built by the host. */
const traces = below(kernel).filter(path => !path.startsWith('build/') && path !== 'records.ts')

describe('the files of WGSL', () => {
  it('are those of the kernel, but for arithmetic that is said to be the device’s', () => {
    const own = below(device).filter(path => !existsSync(join(kernel, path)))
    expect(own.toSorted()).toEqual(['arithmetic-doubles.ts', 'arithmetic-loose.ts', 'arithmetic.ts'])
  })

  it('have functions of their files of the kernel', () => {
    for (const path of below(device).filter(path => existsSync(join(kernel, path)))) {
      const theirs = readFileSync(join(kernel, path), 'utf8').toLowerCase()
      const names = [...readFileSync(join(device, path), 'utf8').matchAll(/\bfn (\w+)\(/g)].map(([, name]) => name!)
      const shared = names.filter(name => theirs.includes(name.replaceAll('_', '')))
      if (names.length > 0 && !HOSTS.shapes.includes(path)) expect([path, shared.length > 0]).toEqual([path, true])
    }
  })

  it('leave out what is listed, with the reason, and nothing else', () => {
    const listed = HOSTS.files.flatMap(entry =>
      entry.endsWith('/') ? traces.filter(path => path.startsWith(entry)) : [entry],
    )
    const there = new Set(below(device))
    expect(listed.filter(path => there.has(path))).toEqual([])
    expect(new Set(listed).size).toBe(listed.length)
    expect(traces.filter(path => !there.has(path)).toSorted()).toEqual(listed.toSorted())
  })
})
