/** Splits a glTF file into its JSON document and, if it is binary (.glb), the bytes that come with it. */
import { messageOf } from '../../../shared/errors.ts'
import { printable } from '../../../shared/text/printable.ts'
import { BadMeshError, TruncatedMeshError } from '../../errors.ts'
import { KNOWN } from './gltf-extensions.ts'
import { problemIn } from './gltf-problem.ts'
import { type Gltf, gltfSchema } from './gltf-schema.ts'

export interface GltfFile {
  readonly document: Gltf
  /** The binary chunk: buffer 0 if that has no URI. */
  readonly body: Uint8Array | undefined
}

// u32 magic 'glTF' | u32 version | u32 length of all | chunks: u32 length | u32 type | bytes
const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const MAGIC = 0x46546c67
const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942

/** `path` is only used in messages. @throws BadMeshError, TruncatedMeshError */
export function openGltf(bytes: Uint8Array, path: string): GltfFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isBinary = bytes.length >= 4 && view.getUint32(0, true) === MAGIC
  const { json, body } = isBinary ? chunksOf(bytes, view, path) : { json: bytes, body: undefined }
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder().decode(json))
  } catch (error) {
    throw new BadMeshError(path, `is not a glTF file: expected JSON${placeIn(messageOf(error))}`)
  }
  refuseUnknown(parsed, path)
  const document = gltfSchema.safeParse(parsed)
  if (document.success) return { document: document.data, body }
  throw new BadMeshError(path, problemIn(document.error, parsed))
}

function chunksOf(bytes: Uint8Array, view: DataView, path: string): { json: Uint8Array; body: Uint8Array | undefined } {
  const truncated = (expected: string) => new TruncatedMeshError(path, expected, `got ${bytes.length} bytes`)
  if (bytes.length < HEADER_BYTES) throw truncated('a header of 12 bytes')
  const version = view.getUint32(4, true)
  if (version !== 2) throw new BadMeshError(path, `expected version 2 of binary glTF, got ${version}`)
  const length = view.getUint32(8, true)
  if (length > bytes.length) throw truncated(`${length} bytes`)
  const chunks: { type: number; content: Uint8Array }[] = []
  for (let at = HEADER_BYTES; at + CHUNK_HEADER_BYTES <= length && chunks.length < 2; ) {
    const size = view.getUint32(at, true)
    const start = at + CHUNK_HEADER_BYTES
    if (start + size > length) throw truncated(`a chunk that ends at byte ${start + size}`)
    chunks.push({ type: view.getUint32(at + 4, true), content: bytes.subarray(start, start + size) })
    at = start + size
  }
  const [json, body] = chunks
  if (json?.type !== JSON_CHUNK) throw new BadMeshError(path, 'expected a chunk of JSON first in a binary glTF file')
  return { json: json.content, body: body?.type === BINARY_CHUNK ? body.content : undefined }
}

/** First, so that a file in a form that only an extension explains is refused for its extension. @throws BadMeshError */
function refuseUnknown(parsed: unknown, path: string): void {
  const required =
    typeof parsed === 'object' && parsed !== null && 'extensionsRequired' in parsed ? parsed.extensionsRequired : []
  if (!Array.isArray(required)) return
  const unknown = required.filter(name => !KNOWN.includes(name)).map(name => `'${String(name)}'`)
  if (unknown.length > 0)
    throw new BadMeshError(
      path,
      `requires ${unknown.length === 1 ? 'the extension' : 'the extensions'} ${briefly(unknown.join(', '))}, which ${unknown.length === 1 ? 'is' : 'are'} not supported; export it without`,
    )
}

/** Where a text ceases to be JSON, as far as the parser's message says that. */
function placeIn(message: string): string {
  if (message.startsWith('Unexpected end')) return ', got a text that ends too early'
  const [, character] = /at position (\d+)/.exec(message) ?? []
  return character === undefined ? ', got another text' : `, got something else at character ${character}`
}

const LONGEST = 300

/** For messages: a file may say anything. */
const briefly = (text: string): string => printable(text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text)
