/** The manifests of a cluster in Kubernetes. */
import { filledFile } from './template.ts'

/** What scales the workers with the work in hand, if anything. */
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
  /** What frames and films may take, by which the master says how many workers are wanted. */
  readonly targetFrameMs: number | undefined
  readonly targetDoneS: number | undefined
}

export function kubernetesCluster({
  autoscale,
  secrets,
  workers,
  targetFrameMs,
  targetDoneS,
  ...cluster
}: KubernetesCluster): string {
  const { namespace, secret } = cluster
  const place = { namespace, secret }
  const manifests = filledFile('kubernetes/cluster.yaml', {
    ...cluster,
    targets: [
      ...(targetFrameMs === undefined ? [] : [`, --target-frame-ms=${targetFrameMs}`]),
      ...(targetDoneS === undefined ? [] : [`, --target-done-s=${targetDoneS}`]),
    ].join(''),
    // Applied again, a number would undo what an autoscaler has done.
    replicas: autoscale ? undefined : `  replicas: ${workers}`,
    secretmanifest: secrets && filledFile('kubernetes/secret.yaml', { ...place, ...encoded(secrets) }).trimEnd(),
  })
  if (autoscale === 'keda') return manifests + filledFile('kubernetes/keda.yaml', { ...place, workers })
  if (autoscale === 'hpa') return manifests + filledFile('kubernetes/hpa.yaml', { namespace, workers })
  return manifests
}

/** As a Secret has them: in base64, which `stringData` would not need, but `podman kube play` knows no other. */
const encoded = (secrets: Secrets): Secrets => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const { worker, client, operate, viewer } = secrets
  return { worker: base64(worker), client: base64(client), operate: base64(operate), viewer: base64(viewer) }
}
