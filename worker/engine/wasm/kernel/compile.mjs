/**
 * Compiles both kernels, with the accessors that `npm run build:kernel` has written before, and that of the denoiser. It uses the compiler as a
 * library to leave out one line: "converge" optimises until the code stops shrinking, and the compiler complains each time that this is how it
 * stopped.
 */
import { fileURLToPath } from 'node:url'
import { main } from 'assemblyscript/asc'

const EXPECTED = /^Last converge was suboptimal\.\s*$/
const stderr = { write: text => EXPECTED.test(text) || process.stderr.write(text) }

const DENOISER = '../../../../master/denoise/kernel/asconfig.json'

for (const [path, target] of [
  ['asconfig.json', 'release'],
  ['asconfig.json', 'fast'],
  [DENOISER, 'release'],
]) {
  const config = fileURLToPath(new URL(path, import.meta.url))
  const { error } = await main(['--config', config, '--target', target], { stderr })
  if (error) {
    process.exitCode = 1
    break
  }
}
