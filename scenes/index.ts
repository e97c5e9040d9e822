/** The built-in scenes, the default first. A new one is a file in `built-in/` and a line here. */
import { corner } from './built-in/corner.ts'
import { crowd } from './built-in/crowd.ts'
import { dragon } from './built-in/dragon.ts'
import { glass } from './built-in/glass.ts'
import { lamps } from './built-in/lamps.ts'
import { stillLife } from './built-in/still-life.ts'
import type { SceneSource } from './scene-source.ts'

export const BUILT_IN_SCENES: readonly SceneSource[] = [dragon, corner, crowd, glass, lamps, stillLife]
