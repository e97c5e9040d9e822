/** What to do instead about a scene that a device has no room for, or does not trace: it is said by name, never left out of a picture. */
export const INSTEAD = 'use --engine wasm, or --accelerator webgpu for its rays'
