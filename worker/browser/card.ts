/**
 * The graphics card of a tab, in a thread of its own: it is tried as every adapter is, and then answers the rays of the tab's threads
 * (`rays-hub.ts`). Its driver may take its thread with it, or hang: the tab goes on without it.
 */
import { messageOf } from '../../shared/errors.ts'
import type { InstancingRule } from '../engine/wasm/instances/instancing.ts'
import { WasmEngine } from '../engine/wasm/wasm-engine.ts'
import { isNamed, openRays, reportOf, shownName } from '../engine/webgpu/adapters.ts'
import type { GpuAdapter } from '../engine/webgpu/gpu.ts'
import { RaysDeviceError } from '../engine/webgpu/ray-request.ts'
import { RaysHub } from '../threads/rays-hub.ts'
import type { CardOrder, CardReply, CardStart } from './card-messages.ts'

/** The part of WebGPU in browsers by which adapters are found. */
interface BrowserGpu {
  requestAdapter(options: { readonly powerPreference: 'high-performance' }): Promise<GpuAdapter | null>
}

export async function beginCard({ kernel, wanted }: CardStart): Promise<void> {
  const say = (reply: CardReply, transfer: Transferable[] = []) => self.postMessage(reply, transfer)
  const turn = () => new Promise<void>(resolve => setTimeout(resolve))
  try {
    const found = await findCard(wanted)
    const ports = {
      sleep: (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms)),
      now: () => performance.now(),
      // The tab waits long for a scene in any case, and for its card.
      compiling: async () => {},
      advanced: async () => {},
    }
    const engineOf = (rule: InstancingRule) => new WasmEngine('wasm', kernel, () => '', false, rule)
    const { device, lost, report } = await openRays(found, engineOf, ports)
    const hub = new RaysHub(
      device,
      { answered: () => say({ type: 'answered' }), failed: reason => say({ type: 'lost', reason }) },
      turn,
    )
    void lost.then(reason => hub.fail(reason))
    self.onmessage = async ({ data }: MessageEvent<CardOrder>) => {
      if (data.type === 'displace') return hub.displace(data.name)
      if (data.type === 'line') {
        const line = hub.line()
        return say({ type: 'line', number: data.number, line }, [line.port as unknown as MessagePort])
      }
      const { number } = data
      await hub.place(data.name, data.built).then(
        built => say({ type: 'placed', number, built }),
        error => say({ type: 'refused', number, reason: messageOf(error) }),
      )
    }
    say({ type: 'ready', name: shownName(report) })
  } catch (error) {
    say({ type: 'lost', reason: messageOf(error) })
  }
}

/** Rejects with RaysDeviceError. */
async function findCard(wanted: string | undefined) {
  const { gpu } = navigator as { readonly gpu?: BrowserGpu }
  if (!gpu)
    throw new RaysDeviceError(
      'this browser has no WebGPU; use another, such as a newer Chrome, Edge, Safari or Firefox',
    )
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter) throw new RaysDeviceError('this browser finds no graphics card that it may use')
  const report = reportOf(adapter)
  if (wanted !== undefined && !isNamed(report, wanted))
    throw new RaysDeviceError(`expected a card with '${wanted}' in its name, got ${report.name}`)
  if (wanted === undefined && report.software)
    throw new RaysDeviceError(`this browser has only software (${report.name}), which adds nothing to the cores`)
  return { report, adapter }
}
