/** What the commands need that print what starts a cluster, loaded together: each alone would be a few files of some hundred bytes. */
export { kubernetes } from './commands/kubernetes.ts'
export { slurm } from './commands/slurm.ts'
export { systemd } from './commands/systemd.ts'
export { KUBERNETES } from './options/groups/kubernetes.ts'
export { SLURM } from './options/groups/slurm.ts'
export { SYSTEMD } from './options/groups/systemd.ts'
