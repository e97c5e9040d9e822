/** Whatever decides pixels is in an engine's fingerprint: releases that differ there never share a frame. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineFingerprints, engineNames } from '../../../worker/node/engines.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const dist = fileURLToPath(new URL('../../../', import.meta.url))
/** A copy of what is compiled, to be changed and restored. */
const copy = join(folder, 'dist')

const fingerprintsThere = (): Record<string, string> => {
  const index = pathToFileURL(join(copy, 'worker/node/engines.js')).href
  const code = `import { engineFingerprints, engineNames } from '${index}'
    console.log(JSON.stringify(engineFingerprints(engineNames)))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }))
}
const changedBy = (file: string): string[] => {
  const path = join(copy, file)
  const before = readFileSync(path)
  appendFileSync(path, ' ')
  const there = fingerprintsThere()
  // Each test finds the copy as it was made.
  writeFileSync(path, before)
  return engineNames.filter(name => there[name] !== engineFingerprints([name])[name])
}

describe('the fingerprint of an engine', () => {
  beforeAll(() => {
    for (const part of ['worker', 'shared']) cpSync(join(dist, part), join(copy, part), { recursive: true })
    cpSync(join(dist, '../package.json'), join(folder, 'package.json'))
    symlinkSync(join(dist, '../node_modules'), join(folder, 'node_modules'))
  })

  it('is the same wherever the release lies, and for engines that make the same bytes', () => {
    const here = engineFingerprints(engineNames)
    expect(fingerprintsThere()).toEqual(here)
    expect(here).toEqual({ wasm: here.wasm, 'wasm-fast': here['wasm-fast'], reference: here.wasm })
    expect(here.wasm).not.toBe(here['wasm-fast'])
  })

  it.each([
    ['worker/engine/wasm/kernel.wasm', ['wasm', 'reference']],
    ['worker/engine/wasm/kernel-fast.wasm', ['wasm-fast']],
    ['worker/engine/wasm/scene-header.js', ['wasm', 'wasm-fast', 'reference']],
    ['worker/engine/wasm/view-block.js', ['wasm', 'wasm-fast', 'reference']],
    ['worker/engine/wasm/square-list.js', ['wasm', 'wasm-fast', 'reference']],
    ['worker/engine/wasm/blocks.js', ['wasm', 'wasm-fast', 'reference']],
    ['worker/engine/wasm/records/scene.js', ['wasm', 'wasm-fast', 'reference']],
    ['shared/light/tone-mapping.js', ['wasm', 'wasm-fast', 'reference']],
    ['shared/math/trig.js', ['wasm', 'wasm-fast', 'reference']],
    ['shared/scene/bake.js', ['wasm', 'wasm-fast', 'reference']],
    ['shared/frame/pixel-set.js', ['wasm', 'wasm-fast', 'reference']],
    ['shared/scene/packed-layout.js', ['wasm', 'wasm-fast', 'reference']],
    ['worker/session.js', []],
    ['worker/node/thread-pool.js', []],
  ])('changes with %s for %j', (file, engines) => {
    expect(changedBy(file)).toEqual(engines)
  })
})
