/** Which frames a folder has checkpoints of, or pictures beside them, by the names of its files. */
import { readdir } from 'node:fs/promises'
import { frameWith } from '../files/frame-names.ts'
import { CHECKPOINT_ENDING, PARTIAL_ENDING } from './checkpoint-file.ts'

export const keptFrames = (folder: string): Promise<number[]> => framesWith(folder, CHECKPOINT_ENDING)
export const picturedFrames = (folder: string): Promise<number[]> => framesWith(folder, PARTIAL_ENDING)

async function framesWith(folder: string, ending: string): Promise<number[]> {
  const endings = new Set([ending])
  return (await readdir(folder)).flatMap(name => frameWith(name, endings) ?? [])
}
