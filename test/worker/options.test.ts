import { expect, it } from 'vitest'
import { resolveWorkerOptions } from '../../worker/options.ts'

it.each(['', 'two\nlines', 'a\u001b[2Jb', 'n'.repeat(129)])('does not take %j for a name', name => {
  expect(() => resolveWorkerOptions({ master: 'host', name })).toThrow(
    `--name: expected 1 to 128 printable characters, got ${JSON.stringify(name)}`,
  )
})
