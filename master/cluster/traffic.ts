/** Sums and differences of messages and bytes. */
import type { Traffic } from '../../shared/protocol/channel.ts'

export const sumOf = (a: Traffic, b: Traffic): Traffic => ({
  messages: a.messages + b.messages,
  bytes: a.bytes + b.bytes,
})

export const difference = (after: Traffic, before: Traffic): Traffic => ({
  messages: after.messages - before.messages,
  bytes: after.bytes - before.bytes,
})
