/**
 * Text in images needs a font, and a bare server or container has none. The font that charts use comes with the package;
 * a fontconfig file is the only way to make it known to the image library.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Adds DejaVu Sans to the machine's fonts, for this process. Call it before any text is drawn; does nothing if the user
 * has set a fontconfig file.
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
