#!/usr/bin/env node
/** Entry point of the command line. The rest is loaded once there is room for it. */
import { isOutOfFiles, outOfFiles, tooFewFiles } from './open-files.ts'

const problem = tooFewFiles()
if (problem) fail(problem)
else
  try {
    const [{ runCommand }, { createProgram }] = await Promise.all([import('./command-line.ts'), import('./program.ts')])
    await runCommand(createProgram, isOutOfFiles)
  } catch (error) {
    if (!isOutOfFiles(error)) throw error
    fail(outOfFiles())
  }

function fail(sentence: string): void {
  process.stderr.write(`sortfirst: ${sentence}\n`)
  process.exitCode = 1
}
