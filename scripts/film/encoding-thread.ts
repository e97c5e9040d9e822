/** The thread that makes large files of frames: it must not hold up the one that gives work to the cluster. */
import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../shared/errors.ts'
import { type EncodedFrame, type EncodeOrder, encodeFrame } from './frame-files.ts'

/** An order with its number, and the answer with the same one. */
export interface EncodeRequest {
  readonly number: number
  readonly order: EncodeOrder
}
export type EncodeAnswer = { readonly number: number } & (
  | { readonly encoded: EncodedFrame }
  | { readonly failed: string }
)

parentPort?.on('message', ({ number, order }: EncodeRequest) => {
  const say = (answer: EncodeAnswer, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(answer, transfer)
  try {
    const encoded = encodeFrame(order)
    const buffers = [
      ...[...encoded.files, ...encoded.pictures].map(([, bytes]) => bytes.buffer),
      ...(encoded.rgb16 ? [encoded.rgb16.buffer] : []),
    ]
    say({ number, encoded }, buffers as ArrayBuffer[])
  } catch (error) {
    say({ number, failed: messageOf(error) })
  }
})
