/** Options of `sortfirst kubernetes`. */
import { AUTOSCALERS } from '../../deploy/kubernetes.ts'
import { commandLine, group, option, readWords, type SettledOf, settled, type Words } from '../declare/group.ts'
import { number, oneOf, wholeNumber } from '../declare/kinds.ts'
import { workTargets } from './master.ts'
import { print, textLike } from './slurm.ts'

/** A name of Kubernetes (RFC 1123, a label). */
const name = textLike(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'a name of a to z, 0 to 9 and - within it')

const OF_PRINTED = { commands: ['kubernetes'], variable: [] } as const

const kubernetes = group('Options:', ['kubernetes'], {
  print,
  image: option({
    flag: '--image <name>',
    kind: textLike(/^[\w.:/@-]+$/, 'the name of an image, such as registry.example/sortfirst:1'),
    help: 'the container image of sortfirst, where the nodes can pull it',
    mandatory: true,
  }),
  namespace: option({ flag: '--namespace <name>', kind: name, help: 'namespace', usual: 'sortfirst' }),
  workers: option({
    flag: '--workers <n>',
    kind: wholeNumber(1, 100_000),
    help: 'workers; with {autoscale}, at most',
    usual: 4,
  }),
  cpus: option({ flag: '--cpus <n>', kind: number(0.1, 1024), help: 'cores of each worker', usual: 2 }),
  memory: option({
    flag: '--memory <size>',
    kind: textLike(/^[1-9]\d*(Mi|Gi)$/, 'a size such as 512Mi or 4Gi'),
    help: 'memory of each worker, and at most of the master',
    usual: '4Gi',
  }),
  secret: option({
    flag: '--secret <name>',
    kind: name,
    help: 'a Secret that exists, with the keys worker, client, operate and viewer',
    otherwise: 'a new one, printed with the rest',
  }),
  autoscale: option({
    flag: '--autoscale <how>',
    kind: oneOf('autoscaler', AUTOSCALERS),
    help: '{names}: as many workers as the work in hand is worth, by {targetFrameMs} or {targetDoneS}; without any, none with keda, and one with hpa',
    otherwise: 'so many workers always',
  }),
  targetFrameMs: option({ ...workTargets.targetFrameMs, help: 'what a frame may take', ...OF_PRINTED }),
  targetDoneS: option({ ...workTargets.targetDoneS, help: 'what a film may take from its beginning', ...OF_PRINTED }),
})

export const KUBERNETES = [kubernetes] as const

/** @throws UsageError */
export function readKubernetes(words: Words): SettledOf<typeof kubernetes> & { readonly image: string } {
  const voice = commandLine(KUBERNETES, 'kubernetes')
  return settled(voice, readWords(voice, words)) as SettledOf<typeof kubernetes> & { readonly image: string }
}
