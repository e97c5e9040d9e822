/** Which frames a folder has checkpoints of, or pictures beside them, by the names of its files. */
import { readdir } from 'node:fs/promises'
import { checkpointFrame, partialFrame } from './fitting.ts'

export const keptFrames = async (folder: string): Promise<number[]> =>
  (await readdir(folder)).flatMap(name => checkpointFrame(name) ?? [])

export const picturedFrames = async (folder: string): Promise<number[]> =>
  (await readdir(folder)).flatMap(name => partialFrame(name) ?? [])
