/**
 * What the browser's page is made of, on this machine's loopback only: the page, three and its decoders as they are installed, our
 * script as it is compiled, and the folder of one glTF file at a time. Nothing else is served.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { basename, dirname, extname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moduleUrl } from '../../../../shared/node/program-files.ts'

const THREE = resolve(dirname(createRequire(import.meta.url).resolve('three')), '..')
const SCRIPTS = fileURLToPath(moduleUrl('scripts/bench/pictures/three/browser'))

const PAGE = `<!DOCTYPE html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/" } }</script>
<script type="module" src="/browser/rasterise.js"></script>
`

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.gltf': 'model/gltf+json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
}

export class PageServer {
  readonly #server: Server
  readonly #folders = new Map([
    ['three/build', join(THREE, 'build')],
    ['three/examples/jsm', join(THREE, 'examples/jsm')],
    ['browser', SCRIPTS],
  ])

  private constructor() {
    this.#server = createServer(async ({ method, url = '' }, response) => {
      const found = method === 'GET' ? await this.#contentOf(url) : undefined
      if (found) response.writeHead(200, { 'Content-Type': found.type }).end(found.content)
      else response.writeHead(404).end()
    })
  }

  /** To be closed. */
  static async start(): Promise<PageServer> {
    const server = new PageServer()
    await new Promise<void>((done, failed) => {
      server.#server.once('error', failed).listen(0, '127.0.0.1', done)
    })
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  /** Serves the folder of a file instead of the one before. @returns the file's address */
  serve(path: string): string {
    this.#folders.set('model', resolve(dirname(path)))
    return `${this.url}model/${encodeURIComponent(basename(path))}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #contentOf(url: string): Promise<{ content: Buffer | string; type: string } | undefined> {
    const path = pathOf(url)
    if (path === '') return { content: PAGE, type: 'text/html' }
    for (const [name, folder] of this.#folders) {
      if (path?.startsWith(`${name}/`) !== true) continue
      const place = resolve(folder, path.slice(name.length + 1))
      if (!place.startsWith(folder + sep)) return undefined
      const content = await readFile(place).catch(() => undefined)
      return content && { content, type: TYPES[extname(place).toLowerCase()] ?? 'application/octet-stream' }
    }
    return undefined
  }
}

/** Decoded, without the slash in front; undefined if it cannot be decoded. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname).slice(1)
  } catch {
    return undefined
  }
}
