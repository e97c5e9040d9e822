/** `sortfirst view`: shows a scene on its master's page. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { strategyByName } from '../../master/strategies/index.ts'
import { lookOf } from '../../shared/light/tone-map.ts'
import type { ViewFacts } from '../../shared/page/view-offer.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { DEFAULT_STRATEGY } from '../../shared/session/default-strategy.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { engineKind } from '../../worker/engine/engine.ts'
import { print } from '../files/standard-output.ts'
import { linkAt, type ShownScene } from '../library/shown-view.ts'
import { clientAccess } from '../options/access-options.ts'
import type { Words } from '../options/declare/group.ts'
import { camerasOf } from '../options/groups/camera-file.ts'
import { exposureFrom } from '../options/groups/exposure.ts'
import { readRun } from '../options/groups/index.ts'
import { openRun } from '../options/integrator.ts'
import { type RunOptions, resolveRunOptions } from '../options/run.ts'
import { warnOfCache } from '../options/worker-options.ts'
import { firstViewpoint } from '../run/first-viewpoint.ts'
import { hostCores } from '../run/host.ts'
import { withCluster } from '../run/open-cluster.ts'
import { type PreparedScene, prepareScene, warnOfGaps } from '../run/prepare-scene.ts'
import { viewSource } from '../run/view-source.ts'
import { InterruptedError, interruptible } from '../terminal/interrupt.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'

/** @param lines render the scene with the same light and look, but for camera and size; none if they cannot be written as a line */
export async function view(sceneName: string, words: Words, lines: Pick<ViewFacts, 'command' | 'bare'>): Promise<void> {
  const given = readRun('view', words)
  const strategy = strategyByName(given.strategy ?? DEFAULT_STRATEGY)
  const access = clientAccess(given, process.env)
  const cameras = await camerasOf(given)
  const context = { command: 'view', cores: hostCores(), chosen: [strategy], cameras } as const
  const run = openRun(given, 'view', each => resolveRunOptions(sceneName, each, context))
  const { options } = run
  const progress = createProgress(process.stderr)
  await warnOfCache(given.noCache ?? given.cache, progress)
  // A master that is lost takes its page with it.
  const cluster = options.cluster.kind === 'remote' ? { ...options.cluster, reconnect: 0 } : options.cluster
  const asked = { ...options, cluster, access, port: given.port }
  try {
    await interruptible(signal =>
      withCluster(asked, progress, signal, async opened => {
        const { size, camera, look, cache } = options
        const scene = await prepareScene(sceneName, size, camera, progress, signal, { ...look, cache })
        try {
          const { options: chosen, because } = run.of(scene.lighting)
          if (because) progress.info(`integrator: path, for ${because}; --integrator ambient is faster`)
          warnOfGaps(scene, chosen.quality, progress)
          const { show, workers, run: runSession } = await opened()
          const first = await scene.at?.(0, 0)
          const held = first?.held ?? scene.held
          const order = { ...orderOf(scene, chosen, strategy.name), scene: held.hash, minWorkers: workers }
          const facts = {
            triangles: scene.triangles,
            ...firstViewpoint(scene, scene.cameraAt(0, first?.cameras)),
            ...lines,
          }
          const source = viewSource({ scene, name: sceneName, options: chosen, order, run: runSession })
          const shown = await show!(order, held, facts, signal, source)
          try {
            await untilAborted(signal, giveLinks(shown, given, progress))
          } finally {
            shown.close()
            await source.close()
          }
        } finally {
          await scene.close?.()
        }
      }),
    )
  } catch (error) {
    // That is how it ends.
    if (!(error instanceof InterruptedError)) throw error
    process.exitCode = error.exitCode
  }
}

/** Prints a link, and another one for each line that is typed. */
async function giveLinks(
  shown: ShownScene,
  { open, json, pageAt }: { readonly open?: boolean; readonly json?: boolean; readonly pageAt?: string },
  progress: Progress,
): Promise<never> {
  const give = async () => {
    const link = linkAt(await shown.link(), pageAt)
    await print(json ? `${JSON.stringify({ link })}\n` : `${link}\n`)
    return link
  }
  const link = await give()
  progress.info('the link is for one browser, within a minute; Enter gives another one, Ctrl-C ends the view')
  if (open) openBrowser(link, progress)
  const lines = createInterface({ input: process.stdin })
  lines.on('line', () => void give().catch(() => {}))
  try {
    return await shown.lost
  } finally {
    lines.close()
  }
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

function openBrowser(link: string, progress: Progress): void {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...words, link], { stdio: 'ignore', detached: true })
  child.on('error', () => progress.warn(`--open: ${program} cannot be started; open the link yourself`))
  child.unref()
}

const orderOf = (
  scene: PreparedScene,
  options: RunOptions,
  strategy: string,
): Omit<SessionOrder, 'scene' | 'minWorkers'> => {
  const { size, quality, noise, denoise, clock, engine } = options
  return {
    kind: 'viewer',
    sceneName: scene.name,
    size,
    quality,
    ...lookOf({ ...options, exposure: exposureFrom(options.exposure, scene.exposure) }),
    passes: 1,
    ...(noise === undefined ? {} : { noise }),
    ...(denoise === 'on' ? { denoise: true } : {}),
    progressive: false,
    inFlight: 1,
    strategy,
    options: options.strategy,
    record: false,
    spans: false,
    clock,
    engine: engineKind(engine),
    waitMs: options.wait * 1000,
  }
}
