import { fileURLToPath } from 'node:url'
import { moduleUrl } from '../../shared/node/program-files.ts'

/** The program of the benches: some of them start it again, as a process of their own. */
export const BENCH_FILE = fileURLToPath(moduleUrl('scripts/bench/commands/main.js'))
