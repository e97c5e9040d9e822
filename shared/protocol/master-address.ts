/**
 * The address of a master as people write it: `ws://host:port`, or `host:port` or `host` for short. A browser shows the same server
 * as `http://` or `https://`, so these are accepted, too.
 */
import { OptionError } from '../errors.ts'
import { DEFAULT_PORT } from './version.ts'

/**
 * The WebSocket URL of a master, with the default port if none is given.
 * @param option the option's name, for the error
 * @throws OptionError
 */
export function masterUrl(option: string, text: string): string {
  const full = /^[a-z]+:\/\//i.test(text) ? text.replace(/^http(s?):/i, 'ws$1:') : `ws://${text}`
  const expected = `an address such as ws://192.0.2.7:${DEFAULT_PORT}`
  if (!URL.canParse(full)) throw new OptionError(option, expected, `'${text}'`)
  const url = new URL(full)
  if (!['ws:', 'wss:'].includes(url.protocol) || !url.hostname) throw new OptionError(option, expected, `'${text}'`)
  // What is written in an address shows up in logs and lists of processes.
  if (url.username || url.password || url.search || url.hash)
    throw new OptionError(
      option,
      `${expected} and nothing else; tokens come from SORTFIRST_TOKEN or --token-file`,
      'more',
    )
  // A URL object drops the ':80' of ws://, so the text decides whether a port was given.
  if (!url.port && !/:\d+\/?$/.test(full)) url.port = String(DEFAULT_PORT)
  return url.href
}
