/** Real meshes, scenes and pictures, in a folder beside that of the project. They are not part of it: tests of them are skipped where they are absent. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** As seen from the compiled tests. */
const MODELS = new URL('../../../../shared/models/', import.meta.url)

/** Path of one of them; whether there is one, `hasModels` says. */
export const modelAt = (name: string): string => fileURLToPath(new URL(name, MODELS))

export const hasModels = (...names: readonly string[]): boolean => names.every(name => existsSync(modelAt(name)))
