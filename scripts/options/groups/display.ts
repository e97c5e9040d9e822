/** How a picture's light is shown, which changes no light: white balance, exposure, view. Pure. */
import { NEUTRAL_KELVIN, TEMPERATURES, TINTS } from '../../../shared/frame/frame-limits.ts'
import { TONE_MAPPINGS, type ToneMapping } from '../../../shared/light/tone-mapping.ts'
import { isLight, type WhiteBalance } from '../../../shared/light/white-balance.ts'
import { by, CLUSTERS, type GivenOf, group, option, type Voice } from '../declare/group.ts'
import { type Kind, numbersIn, oneOf, said } from '../declare/kinds.ts'
import { EXPOSURE, EXPOSURE_OR_AUTO, type Exposure } from './exposure.ts'

/** Views by the names of Blender's color management, each with the tone mapping that it is. */
const VIEWS = { aces: 'aces', agx: 'agx', standard: 'linear', none: 'none' } as const satisfies Record<
  string,
  ToneMapping
>
const VIEW_NAMES = ['aces', 'agx', 'standard', 'none'] as const
const DEFAULT_VIEW = 'aces'

type AskedBalance = number | readonly [temperature: number, tint: number]

const BALANCE = `a colour temperature from ${TEMPERATURES.least} to ${TEMPERATURES.most} K such as 3200, or with a tint from ${TINTS.least} to ${TINTS.most}, such as 5500,10`

const balanceKind: Kind<AskedBalance> = {
  type: 'number | readonly [temperature: number, tint: number]',
  range: `${TEMPERATURES.least} to ${TEMPERATURES.most}`,
  read(word, wrong) {
    const bare = word.replace(/^([^,]*\d)\s*K(?=\s*(?:,|$))/i, '$1')
    const found = numbersIn(bare, 1)?.[0] ?? numbersIn(bare, 2)
    return checkedBalance(found, error => wrong(error, `'${word}'`))
  },
  check(value, wrong) {
    checkedBalance(value, error => wrong(error, said(value)))
  },
}

/** @param wrong makes an error of what was expected */
function checkedBalance(value: unknown, wrong: (expected: string) => Error): AskedBalance {
  const pair = Array.isArray(value) ? value : [value, 0]
  const [temperature, tint] = pair
  if (!(pair.length === 2 && isWithin(temperature, TEMPERATURES) && isWithin(tint, TINTS))) throw wrong(BALANCE)
  if (!isLight({ temperature, tint })) throw wrong(`a tint that light of ${temperature} K can have`)
  return value as AskedBalance
}

const isWithin = (value: unknown, { least, most }: { readonly least: number; readonly most: number }): boolean =>
  typeof value === 'number' && value >= least && value <= most

const EXPOSURE_HELP = 'linear scale before tone mapping, or stops from the scene’s, such as +2stops or -0.5stops'

export const display = group('Display:', [...CLUSTERS, 'tile'], {
  view: option({
    flag: '--view <name>',
    kind: oneOf('view', VIEW_NAMES),
    help: 'how light is shown on a display: {names}; none ignores {exposure} and {whiteBalance}',
    more: 'aces and agx are curves that roll off highlights; standard clamps them, as Blender’s does',
    usual: DEFAULT_VIEW,
    library: true,
    decides: 'pixels',
    entry: 'toneMapping',
    rules: [{ excludes: 'toneMapping' }],
  }),
  toneMapping: option({
    flag: '--tone-mapping <name>',
    kind: oneOf('tone mapping', TONE_MAPPINGS),
    help: 'the same, with the names of three.js: {names}',
    otherwise: 'that of {view}',
    library: true,
    decides: 'pixels',
    noun: 'tone mapping',
  }),
  exposure: option<Exposure | 'auto'>({
    flag: '--exposure <factor>',
    kind: EXPOSURE,
    among: (_, caller) => (caller === 'render' ? EXPOSURE_OR_AUTO : EXPOSURE),
    help: by({
      render: `${EXPOSURE_HELP}, or auto: middle grey for the film as a whole`,
      compare: EXPOSURE_HELP,
      view: EXPOSURE_HELP,
      tile: EXPOSURE_HELP,
      library: EXPOSURE_HELP,
    }),
    otherwise: 'the scene’s',
    library: true,
    decides: 'pixels',
  }),
  whiteBalance: option({
    flag: '--white-balance <kelvin>',
    kind: balanceKind,
    help: 'colour temperature of the light that is shown as white, {range} K, such as 3200 for lamps; 5500,10 is daylight with a tint',
    more: `the tint of that light is a second number, from ${TINTS.least}, more magenta, to ${TINTS.most}, greener`,
    otherwise: `that of sRGB, ${NEUTRAL_KELVIN}`,
    library: true,
    decides: 'pixels',
    noun: 'white balance',
  }),
})

/** What was asked of the display. */
export interface Display {
  readonly toneMapping: ToneMapping
  /** Undefined: none that would change anything. */
  readonly whiteBalance: WhiteBalance | undefined
}

/** @throws UsageError for a white balance that nothing would show */
export function resolveDisplay(given: GivenOf<typeof display>, voice: Voice): Display {
  const { view = DEFAULT_VIEW, toneMapping = VIEWS[view], whiteBalance } = given
  if (whiteBalance === undefined) return { toneMapping, whiteBalance: undefined }
  const [temperature, tint] = typeof whiteBalance === 'number' ? [whiteBalance, 0] : whiteBalance
  if (toneMapping === 'none') {
    const by = voice.phrase(given.view === undefined ? 'toneMapping' : 'view', 'none')
    throw voice.error('whiteBalance', `no ${by} with it, which shows light unchanged`, `${whiteBalance}`)
  }
  const isNeutral = temperature === NEUTRAL_KELVIN && tint === 0
  return { toneMapping, whiteBalance: isNeutral ? undefined : { temperature, tint } }
}
