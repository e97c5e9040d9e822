/** `npm run docs`: writes what is made of the commands and of the groups of options. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { moduleUrl } from '../../shared/node/program-files.ts'
import { generated } from './generated-docs.ts'

const pathOf = (path: string): string => fileURLToPath(moduleUrl(`../${path}`))

for (const [path, text] of await generated(path => readFileSync(pathOf(path), 'utf8')))
  writeFileSync(pathOf(path), text)
