/** `sortfirst kubernetes`. */
import { randomBytes } from 'node:crypto'
import { kubernetesCluster } from '../deploy/kubernetes.ts'
import { print } from '../files/standard-output.ts'
import type { Words } from '../options/declare/group.ts'
import { readKubernetes } from '../options/groups/kubernetes.ts'

export async function kubernetes(words: Words): Promise<void> {
  const { image, namespace, workers, cpus, memory, secret, autoscale, targetFrameMs, targetDoneS } =
    readKubernetes(words)
  const fresh = () => randomBytes(32).toString('hex')
  const secrets =
    secret === undefined ? { worker: fresh(), client: fresh(), operate: fresh(), viewer: fresh() } : undefined
  const targets = { targetFrameMs, targetDoneS }
  const named = { secrets, secret: secret ?? 'sortfirst' }
  const cluster = { image, namespace, workers, cpus, memory, autoscale, ...targets, ...named }
  await print(kubernetesCluster(cluster))
}
