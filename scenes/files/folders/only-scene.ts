/**
 * Finds the scene file in a folder or an archive, as people download them: at its top, beside its pictures, or in the one folder that
 * everything is in.
 */
import { NoSceneInFolderError, SeveralScenesError } from '../../errors.ts'
import { formatOf } from '../extensions.ts'

/** What systems put into folders and archives. */
const HIDDEN = /^(\.|__MACOSX$)/

/**
 * The name that is a scene file's: the only one at the top, or else the only one a folder down.
 * @param names of files with forward slashes, relative to the folder @param path of the folder, for messages
 * @throws NoSceneInFolderError, SeveralScenesError
 */
export function onlySceneIn(names: readonly string[], path: string): string {
  const places = names.filter(name => formatOf(name)).map(name => name.split('/'))
  const visible = places.filter(parts => !parts.some(part => HIDDEN.test(part)))
  for (const depth of [1, 2]) {
    const found = visible.filter(({ length }) => length === depth).map(parts => parts.join('/'))
    if (found.length > 1) throw new SeveralScenesError(path, found.sort())
    if (found[0] !== undefined) return found[0]
  }
  throw new NoSceneInFolderError(path)
}
