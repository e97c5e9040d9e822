/** The manifests of a cluster in Kubernetes. */
import { filledFile } from './template.ts'

/** What scales the workers with the sessions, if anything. */
export const AUTOSCALERS = ['keda', 'hpa'] as const

/** One for each right that a master grants. */
export interface Secrets {
  readonly worker: string
  readonly client: string
  readonly operate: string
  readonly viewer: string
}

export interface KubernetesCluster {
  readonly image: string
  readonly namespace: string
  /** With `autoscale`, at most. */
  readonly workers: number
  /** Cores of each worker. */
  readonly cpus: number
  /** Of each worker, and at most of the master, as Kubernetes writes it: 4Gi. */
  readonly memory: string
  /** The name of the Secret. */
  readonly secret: string
  /** What is in it; undefined: it is there. */
  readonly secrets: Secrets | undefined
  readonly autoscale: (typeof AUTOSCALERS)[number] | undefined
}

export function kubernetesCluster({ autoscale, secrets, workers, ...cluster }: KubernetesCluster): string {
  const { namespace, secret } = cluster
  const place = { namespace, secret }
  const manifests = filledFile('kubernetes/cluster.yaml', {
    ...cluster,
    // Applied again, a number would undo what an autoscaler has done.
    replicas: autoscale ? undefined : `  replicas: ${workers}`,
    secretmanifest: secrets && filledFile('kubernetes/secret.yaml', { ...place, ...encoded(secrets) }).trimEnd(),
  })
  // Kubernetes counts in thousandths. What is lost by that is more workers, which the limit takes back.
  const share = Math.max(1, Math.floor(1000 / workers))
  if (autoscale === 'keda')
    return manifests + filledFile('kubernetes/keda.yaml', { ...place, workers, share: share / 1000 })
  if (autoscale === 'hpa')
    return manifests + filledFile('kubernetes/hpa.yaml', { namespace, workers, share: `${share}m` })
  return manifests
}

/** As a Secret has them: in base64, which `stringData` would not need, but `podman kube play` knows no other. */
const encoded = (secrets: Secrets): Secrets => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const { worker, client, operate, viewer } = secrets
  return { worker: base64(worker), client: base64(client), operate: base64(operate), viewer: base64(viewer) }
}
