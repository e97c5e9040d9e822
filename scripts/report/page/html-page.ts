/** The shell of every page that is written: one self-contained HTML file that runs no scripts and loads nothing from elsewhere. */
import { html, type Markup, trusted } from '../charts/markup.ts'

export interface HtmlPage {
  readonly title: string
  /** CSS that this program generated. */
  readonly style: string
  /** The content of `<main>`. */
  readonly main: Markup
}

export function htmlPage({ title, style, main }: HtmlPage): string {
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<link rel="icon" href="data:,">
<title>sortfirst: ${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`
  return page.markup
}
