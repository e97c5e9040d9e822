/** Parses and validates `--verify`. Pure. */
import { OptionError } from '../../shared/errors.ts'
import { number } from './option-values.ts'

interface RawVerifyOption {
  readonly verify?: string
  readonly fastMath?: boolean
}

/** @returns the share of rows that are traced twice; undefined: none. @throws OptionError */
export function resolveVerify(
  { verify, fastMath }: RawVerifyOption,
  cluster: { readonly kind: 'remote' | 'local'; readonly workers: number },
): number | undefined {
  if (verify === undefined) return undefined
  const share = number('--verify', verify, 0, 1)
  if (share === 0) return undefined
  if (fastMath)
    throw new OptionError('--verify', 'no --fast-math with it, whose bytes may differ between machines', verify)
  if (cluster.kind === 'local' && cluster.workers < 2)
    throw new OptionError('--verify', 'at least --workers 2 with it, better 3, to check each other', '--workers 1')
  return share
}
