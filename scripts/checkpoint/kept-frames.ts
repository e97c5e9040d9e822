/** Which frames a folder has checkpoints of, by the names of its files. */
import { readdir } from 'node:fs/promises'
import { checkpointFrame } from './fitting.ts'

export const keptFrames = async (folder: string): Promise<number[]> =>
  (await readdir(folder)).flatMap(name => checkpointFrame(name) ?? [])
