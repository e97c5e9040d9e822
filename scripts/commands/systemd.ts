/** `sortfirst systemd`. */
import { parseListen } from '../../master/options.ts'
import { OptionError, UnknownNameError } from '../../shared/errors.ts'
import { masterUrl } from '../../shared/protocol/master-address.ts'
import { isInHome, masterUnit, workerUnit } from '../deploy/systemd.ts'
import { thisProgram } from '../deploy/template.ts'
import { print } from '../files/standard-output.ts'
import type { Words } from '../options/declare/group.ts'
import { readSystemd } from '../options/groups/systemd.ts'

export async function systemd(unit: string, words: Words): Promise<void> {
  const { listen, master, tokenFile } = readSystemd(words)
  const program = thisProgram()
  const service = { program, tokenFile }
  if (unit !== 'master' && unit !== 'worker') throw new UnknownNameError('unit', unit, ['master', 'worker'])
  const home = program.find(isInHome)
  if (home !== undefined)
    process.stderr.write(
      `warning: ${home} is in a home folder, where the service’s own user can read it only if all others can; 'npm install --global' as root puts it elsewhere\n`,
    )
  parseListen(listen)
  if (unit === 'master') return print(masterUnit({ ...service, listen }))
  if (master === undefined) throw new OptionError('--master', 'the address of the master that the worker joins', 'none')
  await print(workerUnit({ ...service, master: masterUrl('--master', master) }))
}
