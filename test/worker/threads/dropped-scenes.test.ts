/** Memory goes back to the system when a scene is dropped: a worker that stays for a hundred scenes holds one. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { usableEngines } from '../support/engines.ts'

const program = fileURLToPath(new URL('../support/load-scenes.js', import.meta.url))

/** What a scene of the program takes at the very least: its packed bytes. */
const SCENE_MIB = 24

it.each(usableEngines)('%s keeps nothing of the scenes that were dropped', engine => {
  const rounds: { loaded: number; dropped: number }[] = JSON.parse(
    execFileSync(process.execPath, [program, engine, '6'], { encoding: 'utf8' }),
  )
  // In the first rounds the program itself still grows.
  const [, second, ...later] = rounds
  for (const { dropped } of later) expect(dropped - second!.dropped).toBeLessThan(2 * SCENE_MIB)
  expect(rounds.every(({ loaded, dropped }) => loaded > dropped)).toBe(true)
})
