/** The files of the page, as the build leaves them beside the program. They are read once, when the first page is opened. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { bundledFile, moduleUrl } from '../../shared/node/program-files.ts'

export interface PageFile {
  readonly type: string
  readonly plain: Uint8Array
  readonly packed: Uint8Array
  /** Whether it may compile WebAssembly. */
  readonly compiles: boolean
}

interface Source {
  readonly file: URL
  readonly type: string
  readonly compiles?: boolean
}

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

const FILES: Readonly<Record<string, Source>> = {
  '': { file: bundledFile('page.html'), type: HTML },
  'page.js': { file: bundledFile('page.js'), type: SCRIPT },
  'page.svg': { file: bundledFile('page.svg'), type: 'image/svg+xml' },
  'page.css': { file: bundledFile('page.css'), type: STYLE },
  join: { file: bundledFile('join.html'), type: HTML },
  'join.js': { file: bundledFile('join.js'), type: SCRIPT },
  'join.css': { file: bundledFile('join.css'), type: STYLE },
  'tab.js': { file: bundledFile('tab.js'), type: SCRIPT, compiles: true },
  'kernel.wasm': { file: moduleUrl('worker/engine/wasm/kernel.wasm'), type: 'application/wasm' },
}

export class PageFiles {
  readonly #read = new Map<string, PageFile>()

  /** @param name the last part of a path: '' of one that ends with a slash */
  get(name: string): PageFile | undefined {
    const known = this.#read.get(name)
    const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined
    if (known || !file) return known
    const plain = readFileSync(file.file)
    const read = { type: file.type, plain, packed: gzipSync(plain), compiles: file.compiles === true }
    this.#read.set(name, read)
    return read
  }
}
