import { expect, it } from 'vitest'
import { Refusals } from '../../../master/cluster/refusals.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'

/** A log that is kept, and alarms that are rung by hand. */
function desk() {
  const lines: string[] = []
  const armed = new Set<() => void>()
  const refusals = new Refusals(
    { info: line => lines.push(line), warn: line => lines.push(line) },
    wake => {
      armed.add(wake)
      return () => armed.delete(wake)
    },
    10_000,
  )
  const ring = () => {
    for (const wake of [...armed]) {
      armed.delete(wake)
      wake()
    }
  }
  return { lines, armed, refusals, ring }
}

it('logs the first of a reason at once, and a flood of others in one line', () => {
  const { lines, refusals, ring } = desk()
  for (let i = 0; i < 1000; i++) refusals.addError(new ProtocolError(`nonsense ${i}`))
  refusals.add('no-upgrade', 'it drips')
  expect(lines).toEqual(['refused a peer: nonsense 0', 'refused a peer: it drips'])
  ring()
  expect(lines.slice(2)).toEqual([
    'refused 999 more within 10 s for the same reason (bad-message), the last: nonsense 999',
  ])
  refusals.addError(new ProtocolError('again'))
  expect(lines).toHaveLength(3)
  ring()
  ring()
  expect(lines.slice(3)).toEqual(['refused 1 more within 10 s for the same reason (bad-message), the last: again'])
  refusals.addError(new ProtocolError('after a rest'))
  expect(lines.at(-1)).toBe('refused a peer: after a rest')
})

it('counts all by reason, and those of errors without a code as internal', () => {
  const { refusals } = desk()
  refusals.addError(new TypeError('a bug'))
  refusals.addError(new ProtocolError('x'))
  refusals.add('no-upgrade', 'idle')
  refusals.add('no-upgrade', 'idle')
  expect(refusals.counts).toEqual({ 'bad-message': 1, internal: 1, 'no-upgrade': 2 })
})

it('leaves no alarm and nothing unsaid when it closes', () => {
  const { lines, armed, refusals } = desk()
  refusals.add('no-upgrade', 'one')
  refusals.add('no-upgrade', 'two')
  refusals.close()
  expect(armed.size).toBe(0)
  expect(lines.at(-1)).toBe('refused 1 more within 10 s for the same reason (no-upgrade), the last: two')
})
