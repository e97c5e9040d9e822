/** Entry point of the benches. They are neither bundled nor in the package: who measures has a clone. */
import { runCommand } from '../../command-line.ts'
import { createBenches } from './program.ts'

await runCommand(createBenches)
