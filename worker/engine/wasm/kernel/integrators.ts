/**
 * The integrators: how light is found for the pixels of a block. Each is a folder with a workspace of its own and one function here; they
 * share what is in `surface`, and know nothing of each other.
 */
import { traceAmbient } from './ambient/wave'
import { AMBIENT_WORKSPACE_BYTES } from './ambient/workspace'
import { Integrator, View } from './records'
import { tracePaths } from './path/wave'
import { PATH_WORKSPACE_BYTES } from './path/workspace'
import { SURFACE_WORKSPACE_BYTES, view } from './surface/workspace'

/** Bytes of a thread's workspace. The integrators' sections share their place: a view has one integrator. */
export function workspaceBytes(): u32 {
  return SURFACE_WORKSPACE_BYTES + ((max(AMBIENT_WORKSPACE_BYTES, PATH_WORKSPACE_BYTES) + 127) & ~127)
}

/** The integrator whose sections are in the workspace, or -1. */
let latest: i32 = -1

/** Before a workspace is used for the first time. */
export function forgetIntegrator(): void {
  latest = -1
}

/** Traces all rays of the block's pixels, `room` at a time, and adds up their light; the view has been read. */
export function integrate(coherent: bool, room: u32): void {
  const integrator: i32 = View.integrator(view)
  const workspace = view + SURFACE_WORKSPACE_BYTES
  const isNew = integrator != latest
  latest = integrator
  if (integrator == Integrator.PATH) tracePaths(workspace, coherent, room)
  else traceAmbient(workspace, isNew, coherent, room)
}
