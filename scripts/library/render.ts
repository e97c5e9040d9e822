/** The frames of a scene as an async iterator, rendered on any cluster. */
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import type { Frame } from './frame.ts'
import { checkedStrategy } from './plug-ins.ts'
import { type FilmOptions, resolveOptions } from './program-options.ts'
import type { ReadyScene, SceneSource } from './ready-scene.ts'
import { renderFilm } from './render-film.ts'
import type { RenderOptions } from './render-options.ts'

/**
 * Renders frames, and yields each in order as soon as it is finished. Breaking out of the loop cancels the rendering.
 *
 * Throws UsageError for invalid requests, NoWorkersError, FrameFailedError, the errors of `loadScene` and `startCluster`, or the
 * signal's reason.
 */
export async function* render(
  source: SceneSource | ReadyScene,
  options: RenderOptions = {},
): AsyncGenerator<Frame, void, undefined> {
  const asked = resolveOptions(options)
  const { seed = DEFAULT_STRATEGY_OPTIONS.seed } = asked
  const strategyOptions = { ...DEFAULT_STRATEGY_OPTIONS, seed, ...asked.strategyOptions }
  yield* renderFilm(source, { ...asked, strategyOptions, ...named(asked.strategy) })
}

/** The name of a strategy, and the strategy itself if it is a program's own. @throws PlugInError */
function named(strategy: Required<RenderOptions>['strategy']): Pick<FilmOptions, 'strategy' | 'plugIns'> {
  if (typeof strategy === 'string') return { strategy }
  const own = checkedStrategy(strategy)
  return { strategy: own.name, plugIns: { strategies: [own] } }
}
