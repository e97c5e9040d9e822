/** What `--resume` compares: what was decided by options, as `render.json` and `compare.json` have it. Pure. */
import { type CommandName, type Group, type Option, optionsOf } from './declare/group.ts'
import { GROUPS } from './groups/index.ts'
import type { RunOptions } from './run.ts'

type Decided = NonNullable<Option<unknown>['decides']>

/** What a film depends on, and what the times of its frames do, too. */
const COMPARED: Partial<Readonly<Record<CommandName, readonly Decided[]>>> = {
  render: ['pixels', 'files'],
  compare: ['pixels', 'files', 'times'],
}

/** The entries of the manifest of a command, each with what it is called; the scene first, because others follow from it, and quality last, because it follows from others. */
export function comparedEntries(command: CommandName, groups: readonly Group[] = GROUPS): ReadonlyMap<string, string> {
  const entries = new Map([['scene', 'scene']])
  for (const [key, { decides, entry = key, noun }] of optionsOf(groups, command))
    if (decides && COMPARED[command]?.includes(decides)) entries.set(entry, noun ?? entries.get(entry) ?? entry)
  const quality = entries.get('quality')
  if (quality !== undefined && entries.delete('quality')) entries.set('quality', quality)
  return entries
}

/** The entries that are options as they are; null: not given. */
export const entriesOf = (command: CommandName, options: RunOptions): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...comparedEntries(command).keys()].map(key => [key, options[key as keyof RunOptions] ?? null]))
