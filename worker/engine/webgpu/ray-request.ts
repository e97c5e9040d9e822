/** What a device is asked for. */
import { SortfirstError } from '../../../shared/errors.ts'

/** Rays at an address of a scene's memory: `count` records. */
export interface RayRequest {
  /** As the device has numbered it. */
  readonly scene: number
  readonly rays: number
  readonly count: number
  readonly shadow: boolean
}

/** There is no such device, it is lost, it does not answer as the kernel does, or a scene does not fit. */
export class RaysDeviceError extends SortfirstError {
  readonly code = 'RAYS_DEVICE'
}
