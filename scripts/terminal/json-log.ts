/** Writes log lines as JSON, for programs that watch this one. Imports nothing that runs, because every worker logs. */
import type { Log } from '../../shared/text/log.ts'
import type { LogLine } from './log-line.ts'

/** What logs may be written as. */
export const LOG_FORMS = ['text', 'json'] as const
export type LogForm = (typeof LOG_FORMS)[number]

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** A line before it is written. */
export type Said = Without<LogLine, 'time' | 'level'> & { readonly level?: LogLine['level'] }

export const logLine = ({ level = 'info', ...said }: Said, now = new Date()): string =>
  JSON.stringify({ time: now.toISOString(), level, ...said })

/** @param line writes one */
export const jsonLog = (line: (text: string) => void, now = () => new Date()): Log => ({
  info: text => line(logLine({ event: 'message', text }, now())),
  warn: text => line(logLine({ event: 'message', level: 'warning', text }, now())),
})

/** Whether a command was told to log as JSON, as far as its words say: errors are reported where none is read yet. */
export function asksForJson(words: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const at = words.findLastIndex(word => word === '--log' || word.startsWith('--log='))
  if (at < 0) return env.SORTFIRST_LOG === 'json'
  return words[at] === '--log' ? words[at + 1] === 'json' : words[at] === '--log=json'
}
