/** The style sheet of the report, for screens of any width and for paper. */
import { INK, MUTED } from '../charts/palette.ts'

export const REPORT_STYLE = `
:root { color-scheme: light; --ink: ${INK}; --muted: ${MUTED}; --line: #dde2e8; --wash: #f5f7f9; --accent: #0068a8; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: #fff; color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "DejaVu Sans", sans-serif;
}
main { max-width: 1040px; margin: 0 auto; padding: 48px 32px 72px; }
.kicker { margin: 0; color: var(--muted); font-size: 14px; }
h1 { margin: 2px 0 0; font-size: 34px; line-height: 1.2; letter-spacing: -0.01em; overflow-wrap: anywhere; }
.headline { margin: 20px 0 26px; font-size: 21px; line-height: 1.45; max-width: 46em; text-wrap: pretty; }
h2 { margin: 56px 0 10px; padding-top: 14px; border-top: 2px solid var(--ink); font-size: 23px; line-height: 1.25; }
h3 { margin: 28px 0 6px; font-size: 16px; }
p { margin: 8px 0; max-width: 46em; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 12px; margin: 0 0 26px; padding: 0; }
.card { padding: 14px 16px; background: var(--wash); border-radius: 8px; }
.card dt { color: var(--muted); font-size: 14px; }
.card dd { margin: 2px 0 0; font-size: 27px; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.card dd.note { color: var(--muted); font-size: 13.5px; font-weight: 400; line-height: 1.4; margin-top: 4px; }
figure { margin: 22px 0; }
figure svg { display: block; width: 100%; height: auto; }
.chips.keys, .sideways { display: none; }
figcaption { margin-top: 8px; color: var(--muted); font-size: 14.5px; line-height: 1.5; max-width: 50em; }
figcaption b { color: var(--ink); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 6px 22px; margin: 14px 0; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.callout { margin: 16px 0; padding: 12px 16px; border-left: 4px solid var(--accent); background: var(--wash); max-width: none; }
.callout.warn { border-color: #bf4a00; }
.scroll { overflow-x: auto; margin: 12px 0 6px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; line-height: 1.35; font-variant-numeric: tabular-nums; }
caption { padding: 0 0 6px; text-align: left; color: var(--muted); font-size: 14.5px; }
th, td { padding: 7px 10px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); vertical-align: bottom; }
thead th { border-bottom: 1.5px solid var(--ink); font-weight: 600; }
thead small { display: block; color: var(--muted); font-weight: 400; font-size: 12px; }
th:first-child, td:first-child { padding-left: 0; text-align: left; }
tbody th, tbody td { vertical-align: top; }
tbody th { font-weight: 600; }
tbody small { display: block; color: var(--muted); font-size: 12px; }
td.best { font-weight: 700; }
td.who, th.who, td.words, th.words { text-align: left; white-space: normal; }
td.who { min-width: 130px; }
.name { white-space: nowrap; }
.decisions th:first-child { width: 210px; }
.winners tbody th { font-weight: 400; white-space: normal; min-width: 170px; }
.swatch { display: inline-block; width: 10px; height: 10px; margin-right: 7px; border-radius: 2px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 20px 16px; margin: 18px 0; }
.pictures.many { grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); gap: 16px 14px; }
.pictures.many figcaption { font-size: 13px; line-height: 1.4; margin-top: 5px; }
.pictures figure { margin: 0; }
.pictures img { display: block; width: 100%; height: auto; border-radius: 4px; }
.chips { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 10px 0; padding: 0; list-style: none; font-size: 13.5px; }
.equations { display: grid; grid-template-columns: max-content max-content 1fr; gap: 12px 26px; align-items: center; justify-items: start; margin: 16px 0; }
.equations math { font-size: 19px; }
.equations .number { color: var(--muted); }
footer { margin-top: 64px; padding-top: 12px; border-top: 1px solid var(--line); color: var(--muted); font-size: 13.5px; overflow-wrap: anywhere; }
@media screen and (max-width: 700px) {
  main { padding: 28px 16px 48px; }
  h1 { font-size: 28px; }
  .headline { font-size: 18px; }
  .cards { grid-template-columns: 1fr 1fr; }
  .card { padding: 10px 12px; }
  .card dd { font-size: 22px; }
  /* A shadow at either edge while there is more beyond it: white patches that scroll along lie over it at the ends. */
  .scroll {
    background:
      linear-gradient(to right, #fff 40%, transparent) left / 36px 100% no-repeat local,
      linear-gradient(to left, #fff 40%, transparent) right / 36px 100% no-repeat local,
      linear-gradient(to right, #0004, transparent) left / 14px 100% no-repeat scroll,
      linear-gradient(to left, #0004, transparent) right / 14px 100% no-repeat scroll;
  }
  /* Its white ground would hide the shadows. */
  figure svg { min-width: 640px; mix-blend-mode: multiply; }
  .chips.keys { display: flex; }
  figure .sideways { display: block; margin: 0; color: var(--muted); font-size: 12.5px; text-align: right; }
  caption span { display: inline-block; position: sticky; left: 0; max-width: calc(100vw - 32px); white-space: normal; }
  .scroll th:first-child { position: sticky; left: 0; background: #fff; }
  .winners tbody th { min-width: 110px; }
  .equations { grid-template-columns: max-content 1fr; }
  .equations p { grid-column: 1 / -1; }
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin-bottom: 8px; }
}
@page { size: A4; margin: 15mm 14mm; }
@media print {
  .moving { display: none; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  h1 { font-size: 20pt; }
  .headline { font-size: 13pt; margin: 10pt 0 14pt; }
  h2 { font-size: 14pt; margin-top: 16pt; padding-top: 8pt; break-after: avoid; }
  h3, caption, h2 + p { break-after: avoid; }
  figcaption, caption, .card dt, .card dd.note, .chips, footer { font-size: 8.5pt; }
  figure, .card, .callout, tr, .equations { break-inside: avoid; }
  .cards { grid-template-columns: repeat(4, 1fr); gap: 8px; }
  .card { padding: 9px 11px; background: none; border: 1px solid var(--line); }
  .card dd { font-size: 16pt; }
  .callout { background: none; }
  p { orphans: 3; widows: 3; }
  figure { margin: 9pt 0; }
  figure svg { max-height: 107mm; }
  figure.tall svg { max-height: 240mm; }
  figcaption { margin-top: 3pt; max-width: none; }
  footer { margin-top: 12pt; padding-top: 6pt; }
  /* The widest table has thirteen columns. */
  table { font-size: 7.2pt; }
  th, td { padding: 4px 3px; }
  thead small, tbody small { font-size: 6.2pt; white-space: normal; }
  .scroll { overflow: visible; break-inside: avoid; }
  .pictures { grid-template-columns: 1fr 1fr; }
  .pictures.many { grid-template-columns: 1fr 1fr 1fr; }
}
`
