/** The licences of what a bundle contains of others, which have to come with it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** Is compiled into the kernel: the part of its standard library that the kernel uses. */
const IN_THE_KERNEL = 'node_modules/assemblyscript'

/**
 * @param root of the repository
 * @param notices that stand in the modules themselves
 * @throws Error for a package without a licence
 */
export function licencesOf(root: string, made: readonly Metafile[], notices: Iterable<string>): string {
  const folders = new Set([IN_THE_KERNEL])
  for (const { outputs } of made)
    for (const { inputs } of Object.values(outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []
        if (folder && bytesInOutput > 0) folders.add(folder.slice(folder.indexOf('node_modules/')))
      }
  const texts = [...folders].sort().map(folder => licenceOf(join(root, folder)))
  return `${[INTRODUCTION, ...texts, ...notices].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

const INTRODUCTION =
  'The files of this folder and the kernels in WebAssembly contain parts of these packages.\nNotices that stand in single modules are at the end.'

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Facts
  const files = existsSync(folder) ? readdirSync(folder).filter(file => /^(licen[cs]e|copying|notice)/i.test(file)) : []
  if (files.length === 0 && !license) throw new Error(`${name} ${version}: expected a licence, got none`)
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}

interface Facts {
  readonly name: string
  readonly version: string
  readonly license?: string
}
