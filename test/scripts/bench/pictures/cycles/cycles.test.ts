/** Cycles as a peer: what is asked of it, and if Blender is installed, that it answers with the same light. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isUnavailable } from '../../../../../scripts/bench/kernel/unavailable.ts'
import { difference } from '../../../../../scripts/bench/pictures/cycles/comparable.ts'
import { Cycles } from '../../../../../scripts/bench/pictures/cycles/cycles.ts'
import { knownToCycles } from '../../../../../scripts/bench/pictures/cycles/known.ts'
import { checkKnown } from '../../../../../scripts/bench/pictures/known/known-picture.ts'
import { comparedScenes } from '../../../../../scripts/bench/pictures/scenes/compared-scenes.ts'
import { measuredScenes } from '../../../../../scripts/bench/pictures/scenes/measured-scenes.ts'

const cycles = await Cycles.start()
if (isUnavailable(cycles)) console.log(`Cycles is not tested: it ${cycles.unavailable}`)
afterAll(() => {
  if (!isUnavailable(cycles)) cycles.close()
})

describe('what is comparable', () => {
  it('are the scenes that are measured', async () => {
    const scenes = await measuredScenes('reduced')
    expect(scenes).toHaveLength(6)
    for (const { name, scene } of scenes) expect(difference(scene), name).toBeUndefined()
  })

  it('are not coats, rough metal and large lamps', () => {
    const [, stillLife, lamps] = comparedScenes()
    expect(difference(stillLife!.scene)).toBeDefined()
    expect(difference(lamps!.scene)).toBeDefined()
  })

  it('is more than half of what formulas answer', () => {
    const { pictures, leftOut } = knownToCycles(16)
    expect(pictures.length).toBeGreaterThan(leftOut.length)
    expect(leftOut.map(({ reason }) => reason)).not.toContain('')
  })
})

it.skipIf(process.platform === 'win32')('says why it is absent, or cannot run its script', async () => {
  const absent = { unavailable: 'needs Blender, and numpy for its Python (Debian: blender and python3-numpy)' }
  expect(await Cycles.start('/nowhere/blender')).toEqual(absent)
  const folder = mkdtempSync(join(tmpdir(), 'sortfirst-blender-'))
  const blender = join(folder, 'blender')
  writeFileSync(blender, '#!/bin/sh\n[ "$1" = --version ] && echo "Blender 3.4.1" || exit 1\n', { mode: 0o755 })
  expect(await Cycles.start(blender)).toEqual(absent)
  rmSync(folder, { recursive: true })
})

describe.skipIf(isUnavailable(cycles))('Cycles', () => {
  const named = knownToCycles(64).pictures.map(picture => [picture.name, picture] as const)
  it.each(named)('%s', async (_, picture) => {
    expect(await checkKnown(picture, cycles as Cycles)).toMatchObject({ ok: true })
  })

  it('renders the same picture again, another for another frame, and says how long it took', async () => {
    const [, { scene, view }] = named.find(([name]) => name.startsWith('glowing room'))!
    const render = async (frame: number) => (cycles as Cycles).traceTimed(scene, { ...view, frame })
    const [first, again, other] = [await render(0), await render(0), await render(1)]
    expect(again.picture).toEqual(first.picture)
    expect(other.picture).not.toEqual(first.picture)
    expect(first.cpuSeconds).toBeGreaterThan(0)
  })
})
