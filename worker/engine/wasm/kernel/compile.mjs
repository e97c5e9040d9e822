/**
 * Compiles both kernels, with the accessors that `npm run build:kernel` has written before. It uses the compiler as a library to leave out
 * one line: "converge" optimises until the code stops shrinking, and the compiler complains each time that this is how it stopped.
 */
import { fileURLToPath } from 'node:url'
import { main } from 'assemblyscript/asc'

const config = fileURLToPath(new URL('asconfig.json', import.meta.url))
const EXPECTED = /^Last converge was suboptimal\.\s*$/
const stderr = { write: text => EXPECTED.test(text) || process.stderr.write(text) }

for (const target of ['release', 'fast']) {
  const { error } = await main(['--config', config, '--target', target], { stderr })
  if (error) {
    process.exitCode = 1
    break
  }
}
