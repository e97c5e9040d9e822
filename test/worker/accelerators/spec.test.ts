import { describe, expect, it } from 'vitest'
import { OptionError } from '../../../shared/errors.ts'
import { divideCores } from '../../../worker/accelerators/capacity.ts'
import { parseAccelerator } from '../../../worker/accelerators/spec.ts'
import { resolveWorkerOptions } from '../../../worker/options.ts'

describe('--accelerator', () => {
  it('says how fast a simulated one is, and what lies between', () => {
    expect(parseAccelerator('simulated:4')).toEqual({ kind: 'simulated', text: 'simulated:4', factor: 4 })
    expect(parseAccelerator(' simulated:6.7@pcie ')).toMatchObject({ factor: 6.7, link: { startUpMs: 0.5 } })
  })

  it('names the engine of a process', () => {
    expect(parseAccelerator('process:reference')).toMatchObject({ kind: 'process', engine: 'reference', factor: 1 })
    expect(parseAccelerator('process:wasm:2')).toMatchObject({ engine: 'wasm', factor: 2 })
  })

  it('takes any adapter that is no software, or one by its name', () => {
    expect(parseAccelerator('auto')).toEqual({ kind: 'webgpu', text: 'auto', factor: 0 })
    expect(parseAccelerator('webgpu')).toEqual({ kind: 'webgpu', text: 'webgpu', factor: 0 })
    expect(parseAccelerator('webgpu:RTX 4090')).toMatchObject({ kind: 'webgpu', adapter: 'RTX 4090' })
  })

  it.each([
    ['webgpu:', /webgpu: with a part of an adapter’s name/],
    ['webgpu: ', /webgpu: with a part of an adapter’s name/],
    ['webgpu:a\nb', /webgpu: with a part of an adapter’s name/],
    [`webgpu:${'a'.repeat(65)}`, /webgpu: with a part of an adapter’s name/],
    ['auto:llvmpipe', /auto alone, got 'auto:llvmpipe'/],
    ['gpu', /a kind that is known \(simulated, process, webgpu, auto\), such as simulated:4, got 'gpu'/],
    ['process', /process: with an engine \(wasm, reference\)/],
    ['process:cuda', /process: with an engine/],
    ['process:wasm:0', /process: with an engine/],
    ['', /a kind that is known/],
    ['simulated', /from 0\.01 to 1000/],
    ['simulated:0', /from 0\.01 to 1000/],
    ['simulated:-3', /from 0\.01 to 1000/],
    ['simulated:1e9', /from 0\.01 to 1000/],
    ['simulated:4@', /a link that is known \(pcie\)/],
    ['simulated:4@usb', /a link that is known \(pcie\), got '@usb'/],
    ['simulated:4@pcie@pcie', /from 0\.01 to 1000/],
  ])("'%s' is refused with a sentence", (text, sentence) => {
    expect(() => parseAccelerator(text)).toThrow(OptionError)
    expect(() => parseAccelerator(text)).toThrow(sentence)
  })

  const resolve = (options: object) => resolveWorkerOptions({ master: 'ws://127.0.0.1:1', ...options })

  it('that cannot be is left out with a sentence, and an error where it is required', () => {
    const accelerators = ['simulated:0', 'simulated:4']
    const resolved = resolve({ accelerators, threads: 2 })
    expect(resolved.accelerators).toMatchObject([{ factor: 4 }])
    expect(resolved.refused.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^--accelerator: expected simulated:/),
    ])
    expect(() => resolve({ accelerators, acceleratorRequired: true })).toThrow(OptionError)
  })

  it('leaves a thread free to feed it where there are two', () => {
    expect(resolve({ accelerators: ['simulated:4'], threads: 4 }).threads).toBe(3)
    expect(resolve({ accelerators: ['simulated:4'], threads: 1 }).threads).toBe(1)
    expect(resolve({ accelerators: ['simulated:4'], threads: 4, feeders: 2 }).threads).toBe(2)
    expect(resolve({ threads: 4 }).threads).toBe(4)
    const tooMany = resolve({ accelerators: ['simulated:4'], threads: 2, feeders: 2 })
    expect(tooMany.refused[0]?.message).toBe(
      '--feeders: expected a whole number from 0 to 1, so that at least one of 2 threads traces, got 2; 1 are left free',
    )
    expect(tooMany.threads).toBe(1)
  })
})

describe('the cores of a machine', () => {
  it('are enough, or shared so that each area is as fast beside the others as it says', () => {
    const roomy = divideCores({ threads: 1, factors: [4], machineCores: 16 })
    expect(roomy).toEqual({
      cpu: { threads: 1, cores: 1, speed: 1 },
      accelerators: [{ threads: 4, cores: 4, speed: 4 }],
    })
    const narrow = divideCores({ threads: 1, factors: [4], machineCores: 2 })
    expect(narrow.cpu).toMatchObject({ cores: 0.4, speed: 0.4 })
    expect(narrow.accelerators).toMatchObject([{ threads: 2, cores: 1.6, speed: 1.6 }])
  })

  it('are what a limited worker is limited to, times what its accelerators add', () => {
    const { cpu, accelerators } = divideCores({ threads: 1, cores: 0.2, factors: [4, 2], machineCores: 2 })
    expect(cpu).toMatchObject({ cores: 0.2, speed: 1 })
    expect(accelerators.map(({ cores }) => cores)).toEqual([0.8, 0.4])
    expect(accelerators.map(({ speed }) => speed)).toEqual([4, 2])
  })

  it('are left alone without accelerators', () => {
    expect(divideCores({ threads: 8, factors: [], machineCores: 2 }).cpu).toEqual({ threads: 8, cores: 8, speed: 8 })
  })
})
