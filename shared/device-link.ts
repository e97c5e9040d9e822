/** What lies between a worker and a device of it: orders begin late, and pixels take time to come back. */

export interface DeviceLink {
  /** Before each order, ms: launching it, and waiting for its end. */
  readonly startUpMs: number
  /** Pixels on their way back, ms per million. */
  readonly msPerMegapixel: number
}

export const LINK_NAMES = ['pcie'] as const
export type LinkName = (typeof LINK_NAMES)[number]

/** `pcie`: a discrete graphics card, some tenths of a ms per launch and readback, pixels with costs and depths at about 10 GB/s. */
export const DEVICE_LINKS: Readonly<Record<LinkName, DeviceLink>> = {
  pcie: { startUpMs: 0.5, msPerMegapixel: 1.5 },
}

/** How long a device is held up by its link, ms. */
export const linkMs = ({ startUpMs, msPerMegapixel }: DeviceLink, pixels: number): number =>
  startUpMs + (msPerMegapixel * pixels) / 1e6
