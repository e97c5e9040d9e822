/**
 * Text in pictures needs a font, and a bare server or container has none. The font that charts name comes with the
 * package; the picture library is told where it is by a fontconfig file, its only way to be told.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Makes DejaVu Sans known beside the machine's own fonts, for this process. Call it before the first text is drawn; does
 * nothing where the user has a fontconfig file of their own in force.
 */
export function provideFonts(environment: NodeJS.ProcessEnv): void {
  if (environment.FONTCONFIG_FILE) return
  const fonts = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))
  const folder = mkdtempSync(join(tmpdir(), 'sortfirst-fonts-'))
  const file = join(folder, 'fonts.conf')
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${fonts.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dir>
  <cachedir>${folder}</cachedir>
</fontconfig>
`,
  )
  environment.FONTCONFIG_FILE = file
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
