/** The scripts for Slurm: a film as one job, or an array of workers for a master elsewhere. */
import { shellLine, shellWord } from '../terminal/shell-word.ts'
import { filledFile } from './template.ts'

/** What each job is given. */
export interface SlurmShare {
  /** Node.js and the program, as words of a command. */
  readonly program: readonly string[]
  /** Of each node; undefined: whole nodes. */
  readonly cpus: number | undefined
  /** As Slurm writes it, such as 1:00:00; undefined: the partition's. */
  readonly time: string | undefined
  readonly partition: string | undefined
  /** How long before its time is over it ends by itself, s. */
  readonly grace: number
}

export interface SlurmFilm extends SlurmShare {
  readonly nodes: number
  /** The words of the command that makes the film, without the program. */
  readonly film: readonly string[]
  /** How often the job may begin again because its time was over. */
  readonly requeues: number
}

export interface SlurmWorkers extends SlurmShare {
  readonly count: number
  readonly master: string
  /** How long a worker waits for a master, s. */
  readonly deathTimeout: number
  /** A file with the secret of workers, if it is not in the environment. */
  readonly tokenFile: string | undefined
  /** A file with the certificate of whom to trust. */
  readonly tlsCa: string | undefined
}

export const slurmFilm = ({ nodes, film, requeues, ...share }: SlurmFilm): string =>
  filledFile('slurm/film.sh', { ...shareWords(share), nodes, requeues, film: shellLine(film) })

export const slurmWorkers = ({ count, master, deathTimeout, tokenFile, tlsCa, ...share }: SlurmWorkers): string => {
  const secrets = [
    ['SORTFIRST_TOKEN_FILE', tokenFile],
    ['SORTFIRST_TLS_CA', tlsCa],
  ].flatMap(([name, file]) => (file === undefined ? [] : [`export ${name}=${shellWord(file)}`]))
  return filledFile('slurm/workers.sh', {
    ...shareWords(share),
    ...{ count, master: shellWord(master), death: deathTimeout },
    secret: secrets.length === 0 ? undefined : secrets.join('\n'),
  })
}

function shareWords({ program, cpus, time, partition, grace }: SlurmShare) {
  const limits = [
    ...(time === undefined ? [] : [`#SBATCH --time=${time}`]),
    ...(partition === undefined ? [] : [`#SBATCH --partition=${partition}`]),
  ]
  return {
    program: shellLine(program),
    grace,
    share: cpus === undefined ? '--exclusive' : `--cpus-per-task=${cpus}`,
    // A step is told again: since 22.05 it does not take the job's word for it.
    cpus: cpus === undefined ? '' : `--cpus-per-task=${cpus} `,
    limits: limits.length === 0 ? undefined : limits.join('\n'),
  }
}
