/** Why the machine's own denoiser made nothing of a picture. */
import { SortfirstError, UsageError } from '../../shared/errors.ts'

/** The machine has no Open Image Denoise that runs: known before the first frame is rendered. */
export class NoOidnError extends UsageError {
  readonly code = 'NO_OIDN'
  constructor(got: string) {
    super(
      `--denoise oidn: expected oidnDenoise on the PATH, got ${got}; install Open Image Denoise (its releases, or brew install open-image-denoise), or use --denoise on`,
    )
  }
}

/** It ended without a picture. */
export class OidnError extends SortfirstError {
  readonly code = 'OIDN_FAILED'
  constructor(expected: string, got: string, cause?: unknown) {
    super(`--denoise oidn: expected ${expected}, got ${got}; --denoise on needs no other program`, { cause })
  }
}
