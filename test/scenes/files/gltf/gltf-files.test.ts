import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadFile } from '../../../../scenes/load-file.ts'
import { triangle } from '../../../support/gltf.ts'
import { gltfFolder } from './gltf-scenes.ts'

const { folder, refusal, root } = gltfFolder()

describe('nothing outside its folder is read', () => {
  const outside = (uri: string) => {
    const { document } = triangle()
    return JSON.stringify({ ...document, buffers: [{ byteLength: 44, uri }] })
  }

  it('but what is in it, or below', async () => {
    const { document, body } = triangle()
    await mkdir(join(folder, 'parts'))
    await writeFile(join(folder, 'parts', 'a b.bin'), body)
    const path = join(folder, 'whole.gltf')
    await writeFile(path, JSON.stringify({ ...document, buffers: [{ byteLength: 44, uri: 'parts/a%20b.bin' }] }))
    const { files } = await loadFile(path)
    expect(files).toEqual([path, join(folder, 'parts', 'a b.bin')])
    await writeFile(join(folder, 'parts', 'a b.bin'), body.subarray(0, 40))
    expect((await refusal('whole.gltf', await readFile(path))).message).toContain(
      'expected 44 bytes in buffer 0, got 40',
    )
  })

  it.each([
    ['../secret.bin'],
    ['parts/../../secret.bin'],
    ['%2e%2e/secret.bin'],
    ['..'],
    ['.'],
    ['/etc/hosts'],
    ['//example.org/a.bin'],
    ['http://example.org/a.bin'],
    ['HTTPS://example.org/a.bin'],
    ['file:///etc/hosts'],
    ['C:/a.bin'],
    ['a%00.bin'],
    ['link.bin'],
    ['missing.bin'],
    ['%zz.bin'],
  ])('%s', async uri => {
    const { body } = triangle()
    await writeFile(join(root, 'secret.bin'), body)
    await symlink(join(root, 'secret.bin'), join(folder, 'link.bin')).catch(() => {})
    const { code, message } = await refusal('outside.gltf', outside(uri))
    expect(code).toBe('BAD_MESH')
    expect(message).toContain('buffer 0: ')
    expect(message).toMatch(/expected a file in the folder of the scene|was not found|expected a URI/)
  })

  it('nor what is no file', async () => {
    await mkdir(join(folder, 'inner'), { recursive: true })
    expect((await refusal('inner.gltf', outside('inner'))).message).toContain('expected a regular file')
  })

  it('nor a buffer without anything', async () => {
    const { document } = triangle()
    expect((await refusal('none.gltf', JSON.stringify(document))).message).toContain(
      'buffer 0: expected a file or a binary chunk with its bytes',
    )
    expect((await refusal('comma.gltf', outside('data:nonsense'))).message).toContain('expected a comma')
    expect((await refusal('short.gltf', outside('data:;base64,AAAA'))).message).toContain('44 bytes in buffer 0, got 3')
  })
})
