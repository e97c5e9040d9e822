/** Where packed and built scenes are kept. */
import { Option } from 'commander'
import { option } from './option.ts'

export const cacheOptions = (): [Option, Option] => [
  option(
    '--cache <folder>',
    'CACHE',
    'folder for packed and built scenes that are kept for the next run (default: the system’s cache folder)',
  ),
  new Option('--no-cache', 'load and build everything again, and cache nothing'),
]
