/** The commands that list what there is. */
import type { Command } from 'commander'
import { UnknownNameError } from '../shared/errors.ts'
import { cacheFlags } from './options/flags.ts'

export function addLists(program: Command): void {
  program
    .command('scenes')
    .description('List the built-in scenes and the files that can be read')
    .summary('List built-in scenes and kinds of files')
    .option('--json', 'as JSON')
    .action(async options => (await import('./commands/lists.ts')).listScenes(options))
  program
    .command('strategies')
    .description('List the strategies, with their sources')
    .option('--json', 'as JSON')
    .action(async options => (await import('./commands/lists.ts')).listStrategies(options))
  program
    .command('engines')
    .description(
      'List the engines that trace, and the WebGPU adapters for --engine and --accelerator, each tried with a million rays',
    )
    .summary('List engines and accelerators')
    .option('--json', 'as JSON')
    .action(async options => (await import('./commands/lists.ts')).listEngines(options))

  const cache = program.command('cache').description('Packed and built scenes kept for the next run')
  cache
    .command('show', { isDefault: true })
    .description('Show where the cache is, and its size')
    .addOption(cacheFlags()[0])
    .option('--json', 'as JSON')
    // As the one for no command, it has the words that are none.
    .allowExcessArguments()
    .action(async (options, { args: [word] }) => {
      if (word !== undefined) throw new UnknownNameError('command', word, ['show', 'clear'])
      await (await import('./commands/cache.ts')).showCache(options)
    })
  cache
    .command('clear')
    .description('Clear the cache; scenes are built again when needed')
    .addOption(cacheFlags()[0])
    .action(async options => (await import('./commands/cache.ts')).clear(options))
}
