/** The files of the page, as the build leaves them beside the program. They are read once, when the first page is opened. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { bundledFile } from '../../shared/node/program-files.ts'

export interface PageFile {
  readonly type: string
  readonly plain: Uint8Array
  readonly packed: Uint8Array
}

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '': ['page.html', 'text/html; charset=utf-8'],
  'page.js': ['page.js', 'text/javascript; charset=utf-8'],
  'page.svg': ['page.svg', 'image/svg+xml'],
  'page.css': ['page.css', 'text/css; charset=utf-8'],
}

export class PageFiles {
  readonly #read = new Map<string, PageFile>()

  /** @param name the last part of a path: '' of one that ends with a slash */
  get(name: string): PageFile | undefined {
    const known = this.#read.get(name)
    const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined
    if (known || !file) return known
    const plain = readFileSync(bundledFile(file[0]))
    const read = { type: file[1], plain, packed: gzipSync(plain) }
    this.#read.set(name, read)
    return read
  }
}
