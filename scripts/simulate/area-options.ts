/** `--areas 'cpu:1,gpu:6.7@pcie'`: what every simulated worker consists of, from words to checked values. Pure. */
import type { VirtualArea } from '../../master/simulator/cluster-spec.ts'
import { DEVICE_LINKS, LINK_NAMES } from '../../shared/device-link.ts'
import { OptionError } from '../../shared/errors.ts'
import { wordsIn } from '../options/declare/kinds.ts'

const MAX_AREAS = 16
const SUCH = "areas such as 'cpu:1,gpu:6.7@pcie'"
const EXPECTED = `${SUCH}: a name, a speed above 0, and perhaps what lies between`

/** The CPU first. @throws OptionError */
export function parseAreas(text: string): readonly VirtualArea[] {
  const wrong = (expected: string, got: string) => new OptionError('--areas', expected, got)
  const areas = wordsIn(text, SUCH, wrong).map(area)
  if (areas.length < 2 || areas.length > MAX_AREAS)
    throw new OptionError('--areas', `2 to ${MAX_AREAS} areas, the CPU first`, `'${text}'`)
  const names = areas.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new OptionError('--areas', 'each name once', `'${text}'`)
  return areas
}

function area(text: string): VirtualArea {
  const [, name, speed, link] = /^\s*([a-z][\w-]{0,15}):([\d.e+-]+)(?:@([a-z]+))?\s*$/i.exec(text) ?? []
  if (name === undefined || !(Number(speed) >= 1e-3 && Number(speed) <= 1e6))
    throw new OptionError('--areas', EXPECTED, `'${text}'`)
  if (link === undefined) return { name, speed: Number(speed) }
  const known = LINK_NAMES.find(candidate => candidate === link)
  if (!known) throw new OptionError('--areas', `a link that is known (${LINK_NAMES.join(', ')})`, `'@${link}'`)
  return { name, speed: Number(speed), link: DEVICE_LINKS[known] }
}
