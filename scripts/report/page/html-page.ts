/** The shell of every page that is written: one self-contained HTML file that loads nothing, and runs no script but the one it is made with. */
import { createHash } from 'node:crypto'
import { html, type Markup, trusted } from '../charts/markup.ts'

export interface HtmlPage {
  readonly title: string
  /** CSS that this program generated. */
  readonly style: string
  /** The content of `<main>`. */
  readonly main: Markup
  /** A program of this package, at the end of the page. @default none */
  readonly script?: string | undefined
}

export function htmlPage({ title, style, main, script }: HtmlPage): string {
  // No other script runs, whatever may be in the page.
  const hash = script === undefined ? '' : createHash('sha256').update(script).digest('base64')
  const scripts = script === undefined ? '' : `; script-src 'sha256-${hash}'`
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'${trusted(scripts)}">
<link rel="icon" href="data:,">
<title>sortfirst: ${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
${main}
</main>
${
  script !== undefined &&
  html`<script>${trusted(script)}</script>
`
}</body>
</html>
`
  return page.markup
}
