/** A thread that does jobs on the planes of frames. It owns nothing: planes are memory that is shared, and results are handed over. */
import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../shared/errors.ts'
import { decodeTile } from '../../shared/protocol/node/pixel-encoding.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import { PlaneWorker } from '../assembly/plane-job.ts'
import { loadDenoiser } from '../denoise/load-denoiser.ts'
import type { PackedTile, ThreadAnswer, ThreadJob } from './plane-pool.ts'

const worker = new PlaneWorker(loadDenoiser)

parentPort?.on('message', (job: ThreadJob) => {
  const answer = answerOf(job)
  const buffer = 'result' in answer ? answer.result?.buffer : undefined
  parentPort!.postMessage(answer, buffer ? [buffer] : [])
})

function answerOf(job: ThreadJob): ThreadAnswer {
  try {
    return { result: job.kind === 'unpack' ? unpack(job) : worker.do(job) }
  } catch (error) {
    return { failed: messageOf(error), isMalformed: error instanceof ProtocolError }
  }
}

function unpack({ encoding, channels, pixels, ...tile }: PackedTile): Uint8Array<ArrayBuffer> {
  const bytes = decodeTile(encoding, channels, pixels, tile)
  // What needed no more than LZ4 is in memory of its library, or in that of the message.
  return Buffer.isBuffer(bytes) || bytes.length < bytes.buffer.byteLength
    ? new Uint8Array(bytes)
    : (bytes as Uint8Array<ArrayBuffer>)
}
