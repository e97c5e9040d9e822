/** An option that can also be set by an environment variable. */
import { Option } from 'commander'

/** An option that can also be set by an environment variable `SORTFIRST_…`. */
export function option(flags: string, variable: string, text: string, fallback?: string): Option {
  const made = new Option(flags, text).env(`SORTFIRST_${variable}`)
  return fallback === undefined ? made : made.default(fallback, fallback)
}
