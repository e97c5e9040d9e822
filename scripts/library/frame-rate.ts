/** How many frames a film has per second: frame n shows what moves as it is at n / fps seconds. */
export const FPS = { least: 1, most: 1000 } as const
export const DEFAULT_FPS = 24
