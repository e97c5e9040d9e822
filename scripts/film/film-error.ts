/** Why a film is not made of its frames. */
import { SortfirstError, UsageError } from '../../shared/errors.ts'

/** The machine has no ffmpeg that makes H.264: known before the first frame is rendered. */
export class NoFfmpegError extends UsageError {
  readonly code = 'NO_FFMPEG'
  constructor(got: string) {
    super(
      `--output mp4: expected ffmpeg on the PATH, with libx264 or libopenh264, got ${got}; install it (apt install ffmpeg, brew install ffmpeg, winget install ffmpeg), or use --output animated-webp`,
    )
  }
}

/** A film or a contact sheet cannot be made; its frames stay. */
export class FilmError extends SortfirstError {
  readonly code = 'FILM_FAILED'
  constructor(
    file: string,
    expected: string,
    got: string,
    advice = 'the frames are kept: the same command with --resume makes it of them',
  ) {
    super(`${file}: expected ${expected}, got ${got}; ${advice}`)
  }
}
