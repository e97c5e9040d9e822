/** Converts cost maps, and where things were, to the text that frame reports carry, and back. */
import type { RecordedCosts } from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { BODY_NUMBERS, type Bodies } from '../../shared/scene/bodies.ts'
import { CostMap } from './cost-map.ts'

export const recordedCosts = ({ cell, costs, depths }: CostMap, bodies?: Bodies): RecordedCosts => ({
  cell,
  costs: toBase64(Float32Array.from(costs)),
  depths: toBase64(depths),
  ...(bodies ? { bodies: toBase64(bodies) } : {}),
})

/** @returns undefined if the text says nothing of bodies, or not of whole ones */
export function bodiesOf({ bodies: text }: RecordedCosts): Bodies | undefined {
  const bytes = Uint8Array.from(Buffer.from(text ?? '', 'base64'))
  if (bytes.length === 0 || bytes.length % (8 * BODY_NUMBERS) !== 0) return undefined
  const bodies = new Float64Array(bytes.buffer)
  return bodies.every(Number.isFinite) ? bodies : undefined
}

/** @returns undefined if the text is not a map of this size */
export function costMapOf(size: Size, { cell, costs, depths }: RecordedCosts): CostMap | undefined {
  const map = new CostMap(size, cell)
  const [costValues, depthValues] = [fromBase64(costs), fromBase64(depths)]
  const { length } = map.costs
  if (costValues?.length !== length || depthValues?.length !== length) return undefined
  if (!costValues.every(cost => cost >= 0 && cost < Number.POSITIVE_INFINITY)) return undefined
  map.costs.set(costValues)
  map.depths.set(depthValues)
  return map
}

// Every platform that Node runs on is little-endian.
const toBase64 = (values: Float32Array | Float64Array): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64')

function fromBase64(text: string): Float32Array | undefined {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  return bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : undefined
}
