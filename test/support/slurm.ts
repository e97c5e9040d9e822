/**
 * A Slurm of our own with four nodes on this machine, for one test file. Its programs come from the PATH, or from the folder that the variable
 * SLURM_ROOT names, in which Debian's packages were unpacked (`apt-get download slurmctld slurmd slurm-client
 * slurm-wlm-basic-plugins munge libmunge2`, `dpkg -x`): nothing needs to be installed. Needs root, as `slurmd` does.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { delimiter, join } from 'node:path'
import { vi } from 'vitest'

const ROOT = process.env.SLURM_ROOT ?? '/'
const FOLDERS = ['usr/bin', 'usr/sbin', 'bin', 'sbin'].map(folder => join(ROOT, folder))
const program = (...names: readonly string[]): string | undefined =>
  names.flatMap(name => FOLDERS.map(folder => join(folder, name))).find(existsSync)

const CONTROL = program('slurmctld-wlm', 'slurmctld')
const NODE = program('slurmd-wlm', 'slurmd')
const STEP = program('slurmstepd-wlm', 'slurmstepd')
const PLUGINS = ['x86_64', 'aarch64']
  .map(machine => join(ROOT, `usr/lib/${machine}-linux-gnu/slurm-wlm`))
  .find(existsSync)

/** Undefined if there is one; or else why not. */
export const NO_SLURM: string | undefined = !(CONTROL && NODE && STEP && PLUGINS)
  ? 'there is no Slurm on this machine: SLURM_ROOT may name a folder with its unpacked packages'
  : process.getuid?.() === 0
    ? undefined
    : 'a Slurm of one’s own needs root'

export interface Slurm {
  /** Runs one of its commands, in this folder, and returns what it prints. */
  run(command: string, ...args: readonly string[]): string
  close(): Promise<void>
}

/** @param folder for its files, and in which jobs are submitted */
export async function startSlurm(folder: string): Promise<Slurm> {
  const config = join(folder, 'slurm.conf')
  const env = {
    ...process.env,
    PATH: [...FOLDERS, process.env.PATH].join(delimiter),
    LD_LIBRARY_PATH: [join(PLUGINS!, '..'), PLUGINS!].join(delimiter),
    SLURM_CONF: config,
  }
  const [control, ...ports] = await freePorts(5)
  const nodes = ports.map((port, i) => ({ name: `c${i + 1}`, port }))
  for (const name of ['state', ...nodes.map(({ name }) => `spool-${name}`)]) mkdirSync(join(folder, name))
  const lines = [
    ...['ClusterName=test', `SlurmctldHost=${hostname()}(127.0.0.1)`, `SlurmctldPort=${control}`],
    ...['AuthType=auth/none', 'CredType=cred/none', 'SlurmUser=root', 'SlurmdUser=root', `PluginDir=${PLUGINS}`],
    ...['ProctrackType=proctrack/linuxproc', 'TaskPlugin=task/none', 'SelectType=select/cons_tres'],
    ...['SelectTypeParameters=CR_Core', 'ReturnToService=2', 'MpiDefault=none', 'KillWait=5'],
    ...['JobAcctGatherType=jobacct_gather/none', `StateSaveLocation=${join(folder, 'state')}`],
    ...[`SlurmdSpoolDir=${join(folder, 'spool-%n')}`, `SlurmdPidFile=${join(folder, '%n.pid')}`],
    ...[`SlurmctldPidFile=${join(folder, 'control.pid')}`, `SlurmctldLogFile=${join(folder, 'control.log')}`],
    `SlurmdLogFile=${join(folder, '%n.log')}`,
    ...nodes.map(
      ({ name, port }) => `NodeName=${name} NodeHostname=${hostname()} NodeAddr=127.0.0.1 Port=${port} CPUs=2`,
    ),
    'PartitionName=p Nodes=ALL Default=YES State=UP',
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  const start = (path: string, ...args: readonly string[]) =>
    spawn(path, ['-D', ...args], { env, cwd: folder, stdio: 'ignore', detached: true })
  const daemons = [start(CONTROL!), ...nodes.map(({ name }) => start(NODE!, '-N', name, '-d', STEP!))]
  const run: Slurm['run'] = (command, ...args) =>
    execFileSync(program(command)!, args, { env, cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  await vi.waitFor(() => {
    if (run('sinfo', '--noheader', '--format=%D %t').trim() !== '4 idle') throw new Error('its nodes are not idle yet')
  }, WAIT)
  return {
    run,
    async close() {
      run('scancel', '--user=root')
      await vi.waitFor(() => {
        if (run('squeue', '--noheader') !== '') throw new Error('its jobs have not ended')
      }, WAIT)
      await Promise.all(daemons.map(ended))
    },
  }
}

/** What takes longer has failed. */
export const WAIT = { timeout: 240_000, interval: 100 }

function ended(daemon: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    daemon.once('close', () => resolve())
    daemon.kill('SIGTERM')
  })
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await new Promise(resolve => server.once('listening', resolve))
      return server
    }),
  )
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}
