/** What is said of a quality that leaves light out. */
import type { Quality } from '../../../shared/frame/view.ts'

/** What a picture lacks of the light that there is; undefined for all light. */
export function lightSaid({ clamp, caustics }: Quality): string | undefined {
  const said = [
    ...(clamp === undefined ? [] : [`indirect light clamped to ${clamp}`]),
    ...(caustics === 'off' ? ['no caustics'] : []),
  ]
  return said.length > 0 ? said.join(', ') : undefined
}
