/** The stack for a Docker Swarm says nothing that the programs do not understand. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { createProgram } from '../../../scripts/program.ts'

const path = new URL('../../../../scripts/deploy/swarm/stack.yaml', import.meta.url)
const stack = parse(readFileSync(path, 'utf8'), { merge: true, strict: true }) as {
  readonly services: Readonly<
    Record<
      string,
      { readonly command: readonly string[]; readonly secrets: readonly string[]; readonly environment: object }
    >
  >
  readonly secrets: object
}

it.each(['master', 'worker'])('has a %s with options that there are, and the secret', async name => {
  const { command, secrets, environment } = stack.services[name]!
  expect(command[0]).toBe(name)
  const program = createProgram('0')
  let read: unknown
  program.commands
    .find(each => each.name() === name)!
    .action((...values: unknown[]) => {
      read = values
    })
  await program.parseAsync([...command], { from: 'user' })
  expect(read).toBeDefined()
  expect(Object.keys(stack.secrets)).toEqual(secrets)
  expect(environment).toEqual({ SORTFIRST_TOKEN_FILE: `/run/secrets/${secrets[0]}`, SORTFIRST_LOG: 'json' })
})

it('uses nothing that docker stack does not read', () => {
  expect(Object.keys(stack.services)).toEqual(['master', 'worker'])
  for (const service of Object.values(stack.services))
    for (const key of Object.keys(service))
      expect(['build', 'depends_on', 'restart', 'profiles', 'security_opt']).not.toContain(key)
})
