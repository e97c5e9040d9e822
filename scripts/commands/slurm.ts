/** `sortfirst slurm`. */
import { resolve } from 'node:path'
import { OptionError, OptionRuleError } from '../../shared/errors.ts'
import { masterUrl } from '../../shared/protocol/master-address.ts'
import { slurmFilm, slurmWorkers } from '../deploy/slurm.ts'
import { thisProgram } from '../deploy/template.ts'
import { print } from '../files/standard-output.ts'
import type { Words } from '../options/declare/group.ts'
import { readSlurm } from '../options/groups/slurm.ts'

/** What the script says itself of the film. */
const OF_THE_SCRIPT = ['--master', '--resume', '--token-file']

/** @param film the words of `sortfirst render`, with it */
export async function slurm(film: readonly string[], words: Words): Promise<void> {
  const options = readSlurm(words)
  const { cpus, time, partition, grace, nodes, requeues, array: count, deathTimeout, master } = options
  const share = { program: thisProgram(), cpus, time, partition, grace }
  if (count !== undefined && master !== undefined) {
    if (film.length > 0)
      throw new OptionRuleError('--array', 'cannot be combined with a film, which is rendered where the master is')
    const [tokenFile, tlsCa] = [options.tokenFile, options.tlsCa].map(file => file && resolve(file))
    const url = masterUrl('--master', master)
    return print(slurmWorkers({ ...share, count, master: url, deathTimeout, tokenFile, tlsCa }))
  }
  if (film[0] !== 'render' || film.length < 2)
    throw new OptionError(
      '[film...]',
      "the command that makes the film, such as '-- render house.glb --frames 100 --out film'",
      film.length === 0 ? 'nothing' : `'${film.join(' ')}'`,
    )
  const said = film.find(word => OF_THE_SCRIPT.includes(word.replace(/=.*/, '')))
  if (said !== undefined) throw new OptionError('[film...]', `no ${said}: the script says it`, `'${film.join(' ')}'`)
  await print(slurmFilm({ ...share, nodes, film, requeues }))
}
