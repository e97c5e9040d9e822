/** Units of systemd for a master and for a worker. */
import { filledFile } from './template.ts'

interface Service {
  /** Node.js and the program. */
  readonly program: readonly string[]
  /** The file of the secret, which root can read. */
  readonly tokenFile: string
}

export interface MasterService extends Service {
  readonly listen: string
}

export interface WorkerService extends Service {
  readonly master: string
}

export const masterUnit = ({ listen, ...service }: MasterService): string =>
  filledFile('systemd/master.service', { ...serviceWords(service), listen: unitWord(listen) })

export const workerUnit = ({ master, ...service }: WorkerService): string =>
  filledFile('systemd/worker.service', { ...serviceWords(service), master: unitWord(master) })

const serviceWords = ({ program, tokenFile }: Service) => ({
  program: program.map(unitWord).join(' '),
  // A path has no quotes in a unit.
  token: tokenFile.replaceAll('%', '%%'),
  hardening: filledFile('systemd/hardening.conf', {
    home: program.some(isInHome) ? 'read-only' : 'yes',
    filter: '@system-service',
  }).trimEnd(),
})

/** Whether a program is where services usually see nothing. */
export const isInHome = (path: string): boolean => /^\/(home|root|run\/user)\//.test(path)

/** A word of a command in a unit (systemd.service(5), "Command lines"): % begins what systemd fills in, $ a variable. */
function unitWord(text: string): string {
  const plain = text.replaceAll('%', '%%').replaceAll('$', '$$$$')
  if (/^[\w@%+=:,./$[\]~-]+$/.test(plain)) return plain
  const quoted = plain.replaceAll(/["\\]/g, String.raw`\$&`)
  // A line of a unit ends where that of its text does.
  return `"${quoted.replaceAll(/\p{Cc}/gu, each => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`
}
