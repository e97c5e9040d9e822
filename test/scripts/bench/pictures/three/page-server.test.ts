/** What the browser is given, and what it is not. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PageServer } from '../../../../../scripts/bench/pictures/three/page-server.ts'

let server: PageServer
let folder: string
let file: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  mkdirSync(join(folder, 'models'))
  writeFileSync(join(folder, 'models', 'a b#.gltf'), '{}')
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  server = await PageServer.start()
  file = server.serve(join(folder, 'models', 'a b#.gltf'))
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

/** Asks for a path exactly as it is written, which `fetch` would tidy up. */
const statusOf = (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: new URL(server.url).port, path }, response => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

describe('the server of the browser’s page', () => {
  it('is reached from this machine only', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  })

  it('serves the page, its script, three with its decoders, and the file, as what they are', async () => {
    const typeOf = async (path: string) => {
      const response = await fetch(new URL(path, server.url))
      await response.arrayBuffer()
      return [response.status, response.headers.get('content-type')]
    }
    expect(await typeOf('/')).toEqual([200, 'text/html'])
    expect(await typeOf('/browser/rasterise.js')).toEqual([200, 'text/javascript'])
    expect(await typeOf('/three/build/three.module.js')).toEqual([200, 'text/javascript'])
    expect(await typeOf('/three/examples/jsm/libs/basis/basis_transcoder.wasm')).toEqual([200, 'application/wasm'])
    expect(await typeOf(file)).toEqual([200, 'model/gltf+json'])
  })

  it.each([
    '/package.json',
    '/model/../secret.txt',
    '/model/%2e%2e/secret.txt',
    '/model/..%2fsecret.txt',
    '/model/',
    '/model/%zz',
    '/three/package.json',
    '/browser/../report.js',
    '/browser/%2e%2e%2freport.js',
    '//127.0.0.1:x/',
  ])('does not serve %s', async path => {
    expect(await statusOf(path)).toBe(404)
  })

  it('answers nothing but GET', async () => {
    const response = await fetch(file, { method: 'POST', body: 'x' })
    expect(response.status).toBe(404)
  })

  it('serves the folder of one file at a time', async () => {
    const other = await PageServer.start()
    try {
      const first = other.serve(join(folder, 'secret.txt'))
      expect((await fetch(first)).status).toBe(200)
      other.serve(join(folder, 'models', 'a b#.gltf'))
      expect((await fetch(first)).status).toBe(404)
    } finally {
      other.close()
    }
  })
})
