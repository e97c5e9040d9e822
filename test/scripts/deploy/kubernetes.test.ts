/** What `sortfirst kubernetes --print` prints: what each object says, and that they fit each other. */
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { createProgram } from '../../../scripts/program.ts'
import { parseTokens, RIGHTS, secretOf } from '../../../shared/access/tokens.ts'
import { expectSentence } from '../../support/complaint.ts'
import { sortfirst } from '../../support/program.ts'

// biome-ignore lint/suspicious/noExplicitAny: manifests are of many kinds, and a wrong one fails the test
type Manifest = any

const IMAGE = ['--print', '--image', 'registry.example/sortfirst:1']
const printed = async (...words: readonly string[]): Promise<Manifest[]> => {
  const { code, stdout, stderr } = await sortfirst(['kubernetes', ...IMAGE, ...words])
  expect(code, stderr).toBe(0)
  return parseAllDocuments(stdout, { strict: true }).map(document => {
    expect([...document.errors, ...document.warnings]).toEqual([])
    return document.toJS()
  })
}
const one = (manifests: readonly Manifest[], kind: string, name = ''): Manifest => {
  const found = manifests.filter(each => each.kind === kind && each.metadata.name.includes(name))
  expect(found, `${kind} ${name}`).toHaveLength(1)
  return found[0]
}
const podOf = (deployment: Manifest) => deployment.spec.template.spec

describe('the manifests', () => {
  it('are a master, workers, secrets, and who may speak to whom', async () => {
    const manifests = await printed()
    const kinds = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(kinds).toEqual([
      ...['Namespace sortfirst', 'Secret sortfirst', 'Service sortfirst-master', 'ConfigMap sortfirst-probe'],
      ...['Deployment sortfirst-master', 'PodDisruptionBudget sortfirst-master', 'Deployment sortfirst-worker'],
      ...['NetworkPolicy sortfirst-master', 'NetworkPolicy sortfirst-worker'],
    ])
    for (const { kind, metadata } of manifests)
      expect(metadata.namespace).toBe(kind === 'Namespace' ? undefined : 'sortfirst')
  })

  it('say what they were told', async () => {
    const manifests = await printed('--workers', '7', '--cpus', '1.5', '--memory', '512Mi', '--namespace', 'films')
    const worker = one(manifests, 'Deployment', 'worker')
    expect(worker.spec.replicas).toBe(7)
    expect(podOf(worker).containers[0].resources.limits).toEqual({ cpu: '1.5', memory: '512Mi' })
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace ?? metadata.name))).toEqual(new Set(['films']))
    for (const name of ['master', 'worker'])
      expect(podOf(one(manifests, 'Deployment', name)).containers[0].image).toBe('registry.example/sortfirst:1')
  })

  it.each(['123', 'null', '1e3', 'true'])('take the name %s for a name', async name => {
    const words = ['--namespace', name, '--secret', name, '--image', name]
    for (const more of [[], ['--autoscale', 'keda'], ['--autoscale', 'hpa']]) {
      const manifests = await printed(...words, ...more)
      for (const { kind, metadata } of manifests)
        expect(kind === 'Namespace' ? metadata.name : metadata.namespace, kind).toBe(name)
      for (const which of ['master', 'worker']) {
        const { containers, volumes } = podOf(one(manifests, 'Deployment', which))
        expect(containers[0].image).toBe(name)
        expect(volumes[0].secret.secretName).toBe(name)
      }
    }
  })

  it('have one master, which is never there twice', async () => {
    const { spec } = one(await printed(), 'Deployment', 'master')
    expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
  })

  it('ask for the health of the master in words that a shell takes for what they are, as podman gives them to one', async () => {
    const manifests = await printed()
    const { containers, volumes } = podOf(one(manifests, 'Deployment', 'master'))
    const [master] = containers
    const { command } = master.livenessProbe.exec as { command: string[] }
    for (const word of command) expect(word).toMatch(/^[\w./-]+$/)
    const { mountPath, name } = master.volumeMounts.find(({ name }: Manifest) => name === 'probe')
    const { configMap } = volumes.find((volume: Manifest) => volume.name === name)
    const { data } = one(manifests, 'ConfigMap', configMap.name)
    expect(command).toEqual(['node', `${mountPath}/${Object.keys(data)[0]}`])
    // It reads the secret of viewers, which is all that it needs.
    expect(Object.values(data)[0]).toContain("'/token/viewer'")
  })

  it('give programs options that they have', async () => {
    const manifests = await printed()
    for (const name of ['master', 'worker']) {
      const { args } = podOf(one(manifests, 'Deployment', name)).containers[0]
      expect(args[0]).toBe(name)
      const program = createProgram('0')
      const command = program.commands.find(each => each.name() === name)!
      let read: unknown
      command.action((...values: unknown[]) => {
        read = values
      })
      await program.parseAsync(args, { from: 'user' })
      expect(read).toBeDefined()
    }
  })

  it('satisfy the restricted Pod Security Standard, which the namespace enforces', async () => {
    const manifests = await printed()
    expect(one(manifests, 'Namespace').metadata.labels['pod-security.kubernetes.io/enforce']).toBe('restricted')
    for (const name of ['master', 'worker']) {
      const pod = podOf(one(manifests, 'Deployment', name))
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(pod.securityContext.runAsUser).toBeGreaterThan(0)
      expect(pod.automountServiceAccountToken).toBe(false)
      // A service puts variables into pods that begin with its name.
      expect(pod.enableServiceLinks).toBe(false)
      for (const { securityContext } of pod.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      for (const volume of pod.volumes) expect(Object.keys(volume).sort()[0]).toMatch(/^(configMap|emptyDir|name)$/)
    }
  })

  it('have secrets that the programs can read, each pod only its own', async () => {
    const manifests = await printed()
    const secretsOf = (of: readonly Manifest[]): Record<string, string> =>
      Object.fromEntries(
        Object.entries<string>(one(of, 'Secret').data).map(([key, text]) => [
          key,
          Buffer.from(text, 'base64').toString(),
        ]),
      )
    const secrets = secretsOf(manifests)
    expect(Object.keys(secrets).sort()).toEqual([...RIGHTS].sort())
    for (const right of RIGHTS) expect(secretOf(right, parseTokens(right, secrets[right]!), right)).toBe(secrets[right])
    expect(new Set(Object.values(secrets)).size).toBe(RIGHTS.length)
    const keys = (name: string) =>
      podOf(one(manifests, 'Deployment', name))
        .volumes.flatMap(({ secret }: Manifest) => secret?.items ?? [])
        .map(({ key }: Manifest) => key)
    // All, for the master to know.
    expect(keys('master')).toEqual([])
    expect(keys('worker')).toEqual(['worker'])
    // Others the next time.
    expect(secretsOf(await printed())).not.toEqual(secrets)
  })

  it('name a secret that exists', async () => {
    const manifests = await printed('--secret', 'mine')
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([])
    for (const name of ['master', 'worker'])
      expect(JSON.stringify(podOf(one(manifests, 'Deployment', name)).volumes)).toContain('"secretName":"mine"')
  })

  it('select each other', async () => {
    const manifests = await printed()
    const labels = (name: string) => one(manifests, 'Deployment', name).spec.template.metadata.labels
    const selects = (selector: Record<string, string>, name: string) =>
      Object.entries(selector).every(([key, value]) => labels(name)[key] === value)
    for (const name of ['master', 'worker']) {
      const other = name === 'master' ? 'worker' : 'master'
      const policy = one(manifests, 'NetworkPolicy', name)
      for (const { matchLabels } of [one(manifests, 'Deployment', name).spec.selector, policy.spec.podSelector]) {
        expect(selects(matchLabels, name)).toBe(true)
        expect(selects(matchLabels, other)).toBe(false)
      }
    }
    for (const selector of [
      one(manifests, 'Service').spec.selector,
      one(manifests, 'PodDisruptionBudget').spec.selector.matchLabels,
      one(manifests, 'NetworkPolicy', 'worker').spec.egress[0].to[0].podSelector.matchLabels,
    ])
      expect(selects(selector, 'master')).toBe(true)
    const [fromWorkers] = one(manifests, 'NetworkPolicy', 'master').spec.ingress[0].from
    expect(selects(fromWorkers.podSelector.matchLabels, 'worker')).toBe(true)
    const { name } = one(manifests, 'Service').metadata
    expect(podOf(one(manifests, 'Deployment', 'worker')).containers[0].args[1]).toBe(`ws://${name}:7411`)
  })

  it('mount what they use', async () => {
    const manifests = await printed()
    for (const name of ['master', 'worker']) {
      const { containers, volumes } = podOf(one(manifests, 'Deployment', name))
      const mounts = containers[0].volumeMounts
      expect(mounts.map((mount: Manifest) => mount.name).sort()).toEqual(
        volumes.map((volume: Manifest) => volume.name).sort(),
      )
      for (const path of JSON.stringify(containers[0].args).match(/\/(token|tmp)\//g) ?? [])
        expect(mounts.map(({ mountPath }: Manifest) => `${mountPath}/`)).toContain(path)
    }
  })
})

describe('autoscaling', () => {
  it.each([1, 8, 5000])('of at most %d workers goes by how many are wanted', async workers => {
    const manifests = await printed('--workers', `${workers}`, '--autoscale', 'keda')
    expect(one(manifests, 'Deployment', 'worker').spec.replicas).toBeUndefined()
    const { spec } = one(manifests, 'ScaledObject')
    expect(spec).toMatchObject({ minReplicaCount: 0, maxReplicaCount: workers })
    expect(spec.scaleTargetRef.name).toBe(one(manifests, 'Deployment', 'worker').metadata.name)
    const [{ metadata, authenticationRef }] = spec.triggers
    expect(metadata).toMatchObject({ valueLocation: 'workersWanted', targetValue: '1', authMode: 'bearer' })
    expect(metadata.url).toBe('http://sortfirst-master.sortfirst.svc:7411/healthz')
    const { metadata: found, spec: secret } = one(manifests, 'TriggerAuthentication')
    expect(found.name).toBe(authenticationRef.name)
    expect(secret.secretTargetRef).toEqual([{ parameter: 'token', name: 'sortfirst', key: 'viewer' }])
  })

  it('has the master told what may take how long', async () => {
    const argsOf = (manifests: readonly Manifest[]) => podOf(one(manifests, 'Deployment', 'master')).containers[0].args
    const plain = argsOf(await printed())
    const told = argsOf(await printed('--target-frame-ms', '250', '--target-done-s', '3600'))
    expect(told).toEqual([...plain, '--target-frame-ms=250', '--target-done-s=3600'])
  })

  it('goes by the metric of the master, too', async () => {
    const manifests = await printed('--workers', '8', '--autoscale', 'hpa')
    expect(one(manifests, 'Deployment', 'worker').spec.replicas).toBeUndefined()
    const { spec } = one(manifests, 'HorizontalPodAutoscaler')
    expect(spec).toMatchObject({ minReplicas: 1, maxReplicas: 8 })
    expect(spec.metrics[0].external).toMatchObject({
      metric: { name: 'sortfirst_workers_wanted' },
      target: { type: 'AverageValue', averageValue: 1 },
    })
  })
})

it.each([
  [['--print'], '--image'],
  [['--image', 'x'], '--print'],
  [[...IMAGE, '--image', 'a b'], '--image: expected the name of an image'],
  [[...IMAGE, '--namespace', 'Films'], '--namespace: expected a name'],
  [[...IMAGE, '--memory', '4 GB'], '--memory: expected a size'],
  [[...IMAGE, '--target-frame-ms', '0'], '--target-frame-ms: expected'],
  [[...IMAGE, '--autoscale', 'hand'], "unknown autoscaler 'hand'"],
])('%j is one sentence', async (words, sentence) => {
  expectSentence(await sortfirst(['kubernetes', ...words]), 2, sentence)
})
