/** The commands that print what starts a cluster where clusters already run. */
import type { Command } from 'commander'
import type { LaterOptions } from './later-options.ts'

export function addDeployment(program: Command, later: LaterOptions): void {
  later
    .of(program.command('slurm'), async () => (await import('./options/groups/slurm.ts')).SLURM)
    .description('Print a script for Slurm: a film as one job, or workers for a master elsewhere')
    .summary('Print a script for Slurm')
    .addArgument(
      program.createArgument(
        '[film...]',
        "the command that makes the film, after --: '-- render house.glb --out film'",
      ),
    )
    .action(async (film, options) => (await import('./commands/slurm.ts')).slurm(film, options))

  later
    .of(program.command('systemd'), async () => (await import('./options/groups/systemd.ts')).SYSTEMD)
    .description('Print a unit of systemd, for a master or a worker as a service of this machine')
    .summary('Print a unit of systemd')
    .argument('<unit>', 'master or worker')
    .action(async (unit, options) => (await import('./commands/systemd.ts')).systemd(unit, options))

  later
    .of(program.command('kubernetes'), async () => (await import('./options/groups/kubernetes.ts')).KUBERNETES)
    .description('Print the manifests of a cluster for Kubernetes')
    .summary('Print a cluster for Kubernetes')
    .action(async options => (await import('./commands/kubernetes.ts')).kubernetes(options))
}
