/** Containers and texts of glTF as the test suites of other loaders have them: read if their meaning is clear, refused if not. */
import { describe, expect, it } from 'vitest'
import { glb, gltfText, triangle } from '../../../support/gltf.ts'
import { gltfFolder } from './gltf-scenes.ts'

const { ending } = gltfFolder()

/** What follows after it are the words of JavaScript's own parser. */
const expectBeginning = (said: string | undefined, sentence: string | undefined) =>
  expect(said?.slice(0, sentence?.length)).toBe(sentence)

const whole = Buffer.from(glb(triangle()))
const [JSON_AT, LENGTH_AT] = [12, 8]
const bodyAt = 20 + whole.readUInt32LE(JSON_AT)
function written(at: number, value: number): Buffer {
  const bytes = Buffer.from(whole)
  bytes.writeUInt32LE(value, at)
  return bytes
}
/** With its length made right. */
function joined(...parts: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(parts)
  bytes.writeUInt32LE(bytes.length, LENGTH_AT)
  return bytes
}
const chunk = (type: string, content: Uint8Array) => {
  const head = Buffer.alloc(8)
  head.writeUInt32LE(content.length)
  head.write(type, 4)
  return Buffer.concat([head, content])
}
const header = whole.subarray(0, 12)
const json = whole.subarray(12, bodyAt)
const body = whole.subarray(bodyAt)

describe('a binary file', () => {
  it.each<[string, Uint8Array, string | undefined]>([
    ['of another kind', written(0, 0x46546c68), 'is not a glTF file: expected JSON, '],
    ['of version 3', written(4, 3), 'expected version 2 of binary glTF, got 3'],
    [
      'that says it is longer',
      written(LENGTH_AT, whole.length + 4),
      'the file is truncated: expected 520 bytes, got 516 bytes',
    ],
    [
      'that says it is shorter than its chunks',
      written(LENGTH_AT, 100),
      'the file is truncated: expected a chunk that ends at byte 464, got 516 bytes',
    ],
    ['that says it is nothing', written(LENGTH_AT, 0), 'expected a chunk of JSON first in a binary glTF file'],
    [
      'whose text is nothing',
      joined(header, chunk('JSON', Buffer.alloc(0)), body),
      'is not a glTF file: expected JSON, ',
    ],
    [
      'with a chunk of four gigabytes',
      written(JSON_AT, 0xffffffff),
      'the file is truncated: expected a chunk that ends at byte 4294967315, got 516 bytes',
    ],
    [
      'with its chunks in the other order',
      joined(header, body, json),
      'expected a chunk of JSON first in a binary glTF file',
    ],
    ['with two texts', joined(header, json, json), 'buffer 0: expected a file or a binary chunk with its bytes'],
    ['without its bytes', joined(header, json), 'buffer 0: expected a file or a binary chunk with its bytes'],
    ['with bytes after its end', Buffer.concat([whole, Buffer.from('more')]), undefined],
    ['with another chunk after its end', joined(header, json, body, chunk('MORE', Buffer.alloc(3))), undefined],
  ])('%s', async (_, bytes, sentence) => {
    expectBeginning(await ending(bytes), sentence)
  })
})

describe('a text', () => {
  const text = gltfText(triangle())
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const with_ = (more: string) => text.replace('{', `{${more},`)
  it.each<[string, string | Uint8Array, string | undefined]>([
    ['with a byte-order mark', `\ufeff${text}`, undefined],
    [
      'of broken UTF-8',
      Buffer.concat([Buffer.from(with_('"name":"')).subarray(0, 9), Buffer.of(0xff)]),
      'is not a glTF file: expected JSON, ',
    ],
    ['with broken UTF-8 in a name', Buffer.from(with_('"x":"\u00ff"'), 'latin1'), undefined],
    ['in UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 'is not a glTF file: expected JSON, '],
    ['with keys twice', with_('"nodes":[]'), undefined],
    ['with __proto__', with_('"__proto__":{"scenes":5}'), undefined],
    ['with extras nested very deep', with_(`"extras":${nested(2e5)}`), undefined],
    [
      'with nodes nested very deep',
      `{"asset":{"version":"2.0"},"nodes":${nested(2e5)}}`,
      'nodes[0]: expected an object, got a list of 1',
    ],
    [
      'with a material nested very deep',
      with_(`"materials":[{"extensions":{"KHR_a":${'{"KHR_a":'.repeat(1e5)}1${'}'.repeat(1e5)}}}]`),
      undefined,
    ],
    ['that ends early', text.slice(0, -1), 'is not a glTF file: expected JSON, got '],
    ['that is a page', '<!DOCTYPE html>\n<title>404</title>', 'is not a glTF file: expected JSON, '],
    ['of glTF 1.0', '{"asset":{"version":"1.0"}}', "asset.version: expected a 2.x version of glTF, got '1.0'"],
    ['of glTF 3.0', '{"asset":{"version":"3.0"}}', "asset.version: expected a 2.x version of glTF, got '3.0'"],
    ['without a version', '{"asset":{}}', 'asset.version: expected a text, got nothing'],
    ['without an asset', '{}', 'asset: expected an object, got nothing'],
    [
      'of an asset alone',
      '{"asset":{"version":"2.0"}}',
      'expected at least one triangle, got none: its scene has no mesh',
    ],
    [
      'that requires what is not known',
      with_('"extensionsRequired":["EXT_\\u001b[2J"]'),
      "requires the extension 'EXT_\ufffd[2J', which is not supported; export it without",
    ],
    [
      'that requires a number',
      with_('"extensionsRequired":[5]'),
      "requires the extension '5', which is not supported; export it without",
    ],
  ])('%s', async (_, content, sentence) => {
    expectBeginning(await ending(content, 'it.gltf'), sentence)
  })
})
