/** `sortfirst view`: shows a scene on its master's page. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { strategyByName } from '../../master/strategies/index.ts'
import { DEFAULT_STRATEGY } from '../../shared/session/default-strategy.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { print } from '../files/standard-output.ts'
import { linkAt, type ShownScene } from '../library/shown-view.ts'
import { clientAccess } from '../options/access-options.ts'
import type { Words } from '../options/declare/group.ts'
import { camerasOf } from '../options/groups/camera-file.ts'
import { givenForAny, readRun } from '../options/groups/index.ts'
import { openRun } from '../options/integrator.ts'
import { resolveRunOptions } from '../options/run.ts'
import { warnOfCache } from '../options/worker-options.ts'
import { DroppedFiles } from '../run/dropped-files.ts'
import { hostCores } from '../run/host.ts'
import { withCluster } from '../run/open-cluster.ts'
import type { ViewLines } from '../run/tile-command.ts'
import { viewedScene } from '../run/viewed-scene.ts'
import { InterruptedError, interruptible } from '../terminal/interrupt.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'

/** @param lines of the scenes that it shows */
export async function view(sceneName: string, words: Words, lines: ViewLines): Promise<void> {
  const given = readRun('view', words)
  const strategy = strategyByName(given.strategy ?? DEFAULT_STRATEGY)
  const access = clientAccess(given, process.env)
  const cameras = await camerasOf(given)
  const context = { command: 'view', cores: hostCores(), chosen: [strategy] } as const
  const run = openRun(given, 'view', each => resolveRunOptions(sceneName, each, { ...context, cameras }))
  const { options } = run
  const progress = createProgress(process.stderr)
  await warnOfCache(given.noCache ?? given.cache, progress)
  // A master that is lost takes its page with it.
  const where = options.cluster.kind === 'remote' ? { ...options.cluster, reconnect: 0 } : options.cluster
  const asked = { ...options, cluster: where, access, port: given.port }
  try {
    await interruptible(signal =>
      withCluster(asked, progress, signal, async opened => {
        let opening: ReturnType<typeof opened> | undefined
        const cluster = () => {
          opening ??= opened()
          return opening
        }
        const beside = { strategy: strategy.name, log: progress, signal, cluster }
        const receive = (file: string) => files.receive(file)
        const files = new DroppedFiles((path, name) => {
          const open = openRun(givenForAny(given), 'view', each => resolveRunOptions(path, each, context))
          return viewedScene({
            ...{ name: path, called: name, cache: false, run: open, lines: lines(name, true), receive },
            ...beside,
          })
        })
        try {
          const { cache } = options
          const said = lines(sceneName, false)
          const first = await viewedScene({ name: sceneName, cache, run, lines: said, receive, ...beside })
          files.begin(first)
          const { order, scene, facts, source } = first.shown
          const { show } = await cluster()
          const shown = await show!(order, scene, facts, signal, source)
          try {
            await untilAborted(signal, giveLinks(shown, given, progress))
          } finally {
            shown.close()
          }
        } finally {
          await files.close()
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
