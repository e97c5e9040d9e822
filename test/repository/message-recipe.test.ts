/** The recipe of CONTRIBUTING.md, "Add a message": each message of the wire has its schema, sender, receiver and honest form. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { FROM_CLIENT, FROM_WORKER, type Said, TO_CLIENT, TO_WORKER } from '../../scripts/bench/fuzz/scripts.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Direction {
  /** As its schema says it: `Worker → master`. */
  readonly between: readonly [string, string]
  readonly schemas: string
  readonly senders: string
  readonly receivers: readonly string[]
  readonly script: readonly Said[]
}

const WORKERS = 'shared/protocol/messages.ts'
const CLIENTS = 'shared/protocol/client-messages.ts'
const DIRECTIONS: Readonly<Record<string, Direction>> = {
  fromWorker: {
    between: ['worker', 'master'],
    schemas: WORKERS,
    senders: 'worker',
    receivers: ['master/cluster/worker-link.ts'],
    script: FROM_WORKER,
  },
  toWorker: {
    between: ['master', 'worker'],
    schemas: WORKERS,
    senders: 'master',
    receivers: ['worker/session.ts'],
    script: TO_WORKER,
  },
  fromClient: {
    between: ['client', 'master'],
    schemas: CLIENTS,
    senders: 'scripts/library',
    receivers: ['master/clients/client-link.ts'],
    script: FROM_CLIENT,
  },
  toClient: {
    between: ['master', 'client'],
    schemas: CLIENTS,
    senders: 'master',
    receivers: ['scripts/library/master-link.ts', 'scripts/library/remote-session.ts'],
    script: TO_CLIENT,
  },
}
const SCRIPTS = 'scripts/bench/fuzz/scripts.ts'

/** Each schema, and the sentence above it. */
const schemas = new Map(
  [WORKERS, CLIENTS].flatMap(path =>
    [
      ...read(path).matchAll(
        /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?(?:export )?const (\w+) = z\.object\(\{\s*type: z\.literal\('([a-z-]+)'\)/g,
      ),
    ].map(([, sentence = '', name, type]) => [name!, { type: type!, sentence: sentence.toLowerCase() }] as const),
  ),
)

const membersOf = (direction: string, text: string): string[] =>
  (text.match(new RegExp(`const ${direction}Schema = z\\.discriminatedUnion\\('type', \\[([^\\]]*)\\]`))?.[1] ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)

const textOf = (folder: string): string =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .map(path => read(join(folder, path)))
    .join('\n')

/** What of the recipe was not followed for one message. */
function lacking(direction: Direction, { type, sentence }: { type: string; sentence: string }): string[] {
  const [from, to] = direction.between
  const places: [string, boolean][] = [
    [`a sentence in ${direction.schemas}: ${from} → ${to}`, new RegExp(`${from} → [^:]*${to}`).test(sentence)],
    [`a sender in ${direction.senders}`, textOf(direction.senders).includes(`type: '${type}'`)],
    [
      `a receiver in ${direction.receivers.join(' or ')}`,
      direction.receivers.some(path => new RegExp(`case '${type}'|\\.type [!=]== '${type}'`).test(read(path))),
    ],
    [`its honest form in ${SCRIPTS}`, direction.script.some(said => 'type' in said && said.type === type)],
  ]
  return places.filter(([, isThere]) => !isThere).map(([place]) => `${type} lacks ${place}`)
}

describe('a message', () => {
  for (const [name, direction] of Object.entries(DIRECTIONS)) {
    const members = membersOf(name, read(direction.schemas))

    it(`has all that the recipe names, ${direction.between.join(' → ')}`, () => {
      expect(members.length).toBeGreaterThan(5)
      expect(members.flatMap(member => lacking(direction, schemas.get(member)!))).toEqual([])
    })
  }

  it('that is nowhere else lacks each of the places', () => {
    const lost = lacking(DIRECTIONS.toWorker!, { type: 'sing', sentence: '' })
    expect(lost).toHaveLength(4)
    for (const place of lost) expect(place).toContain('sing lacks ')
  })

  it('has as many places as the recipe says, each of which it names', () => {
    const [recipe] = read('CONTRIBUTING.md').match(/- \*\*Add a message\*\*[\s\S]*?(?=\n- \*\*)/)!
    const named = [...recipe.matchAll(/`([\w./-]+)`/g)].map(([, path]) => path)
    for (const { schemas, senders, receivers } of Object.values(DIRECTIONS))
      for (const path of [schemas, senders, ...receivers, SCRIPTS]) expect(named).toContain(path)
    expect(recipe).toContain(': 4 files')
  })
})
