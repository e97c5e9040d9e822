/** Processes of others, of which there are no events: what the system says of them. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Processes that a process has started and that have not ended. */
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(each => statOf(each)?.parent === pid)

/** Resolves when none of them runs any more: one that was killed runs until it has a core to end on. */
export async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some(runs)) await delay(5)
}

const runs = (pid: number): boolean => !['Z', 'X', undefined].includes(statOf(pid)?.state)

/** What the system says of a process; undefined when it is gone. */
function statOf(pid: number): { readonly parent: number; readonly state: string } | undefined {
  try {
    const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}
