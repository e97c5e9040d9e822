/** How rays pass surfaces where nothing is decided by chance, as `worker/engine/wasm/kernel/surface/pass-surely.ts`. */
import { PASSING } from '../../../wasm/records/material.ts'

export const PASS_SURELY = /* wgsl */ `
fn passages(camera: bool) -> u32 {
  return ${PASSING.some}u | select(0u, ${PASSING.backs}u, camera);
}
`
