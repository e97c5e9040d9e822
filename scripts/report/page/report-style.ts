/** The style sheet of the report, for screens of any width and for paper. */
import { INK, MUTED } from '../charts/palette.ts'

export const REPORT_STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: ${INK}; --muted: ${MUTED}; --line: #dde2e8; --wash: #f5f7f9; --accent: #0068a8; --shadow: #0004; --faint: var(--muted); --ground: var(--paper); }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "DejaVu Sans", sans-serif;
}
main { max-width: 1040px; margin: 0 auto; padding: 32px 32px 72px; }
.kicker { margin: 0; color: var(--muted); font-size: 14px; }
h1 { margin: 2px 0 0; font-size: 34px; line-height: 1.2; letter-spacing: -0.01em; overflow-wrap: anywhere; }
.headline { margin: 14px 0 18px; font-size: 20px; line-height: 1.4; max-width: 50em; text-wrap: pretty; }
h2 { margin: 56px 0 10px; padding-top: 14px; border-top: 2px solid var(--ink); font-size: 23px; line-height: 1.25; }
h3 { margin: 28px 0 6px; font-size: 16px; }
p { margin: 8px 0; max-width: 46em; }
.callout p { max-width: none; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 12px; margin: 0 0 26px; padding: 0; }
.card { padding: 14px 16px; background: var(--wash); border-radius: 8px; }
.card dt { color: var(--muted); font-size: 14px; }
.card dd { margin: 2px 0 0; font-size: 27px; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.card dd.note { color: var(--muted); font-size: 13.5px; font-weight: 400; line-height: 1.4; margin-top: 4px; }
figure { margin: 22px 0; }
figure svg { display: block; width: 100%; height: auto; }
.chips.keys, .sideways, .narrow { display: none; }
figcaption { margin-top: 8px; color: var(--muted); font-size: 14.5px; line-height: 1.5; max-width: 50em; }
figcaption b { color: var(--ink); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 6px 22px; margin: 14px 0; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.does dt { color: inherit; font-weight: 600; }
.callout { margin: 16px 0; padding: 12px 16px; border-left: 4px solid var(--accent); background: var(--wash); max-width: none; }
.callout.warn { border-color: #bf4a00; }
/* A shadow at either edge while there is more beyond it: patches of paper that scroll along lie over it at the ends. */
.scroll {
  overflow-x: auto; margin: 12px 0 6px;
  background:
    linear-gradient(to right, var(--paper) 40%, transparent) left / 36px 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) right / 36px 100% no-repeat local,
    linear-gradient(to right, var(--shadow), transparent) left / 14px 100% no-repeat scroll,
    linear-gradient(to left, var(--shadow), transparent) right / 14px 100% no-repeat scroll;
}
details { margin: 14px 0; border-top: 1px solid var(--line); }
summary { padding: 10px 0; color: var(--accent); font-weight: 600; cursor: pointer; }
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
.decisions th:first-child { width: 160px; }
.winners tbody th { font-weight: 400; white-space: normal; }
.winners td b { font-weight: 650; }
/* Measures down, a few strategies across. */
.upright { width: auto; min-width: min(100%, 560px); }
.upright thead th { white-space: normal; }
.upright tbody th { font-weight: 400; white-space: normal; }
.upright small, .winners small { display: inline; }
.broad { font-size: 13px; }
.broad th, .broad td { padding: 6px 5px; }
.broad thead th, .broad thead small { white-space: normal; }
.broad th:first-child { position: sticky; left: 0; background: var(--paper); }
.swatch { display: inline-block; width: 10px; height: 10px; margin-right: 7px; border-radius: 2px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 20px 16px; margin: 18px 0; }
.pictures.many { grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); gap: 16px 14px; }
.pictures.many figcaption { font-size: 13px; line-height: 1.4; margin-top: 5px; }
.pictures.first { margin: 0 0 18px; }
.pictures.first img { max-height: 420px; object-fit: contain; object-position: left; }
#tiles .pictures, #films .pictures { grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr)); }
.pictures figure { margin: 0; }
.pictures img { display: block; width: 100%; height: auto; border-radius: 4px; }
.charts { --panel: none; }
.charts svg { filter: none; mix-blend-mode: normal; min-width: 0; }
.charts .panel { margin: 14px 0; break-inside: avoid; }
.charts h3 { margin: 0 0 2px; font-size: 14px; }
.charts h3 small { color: var(--muted); font-size: 13px; font-weight: 400; }
.charts .why { min-height: 0; margin: 2px 0 0; max-width: none; }
.charts .legend i, .charts path, .charts rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.panels.many { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 290px), 1fr)); gap: 4px 24px; }
.panels.many .panel { margin: 8px 0; }
.panels.many .name { font-size: 10px; }
main .dashboard { padding: 0; }
.beside { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 12px 24px; align-items: start; margin-top: 16px; }
.stage { position: sticky; top: 12px; overflow: hidden; background: var(--wash); border-radius: 4px; }
.stage img { display: block; width: 100%; height: 100%; object-fit: contain; }
.stage img[hidden], .stage[hidden] { display: none; }
.beside:has(> .stage[hidden]) { grid-template-columns: minmax(0, 1fr); }
.beside:has(> .stage[hidden]) .map-choice { display: none; }
.beside .runs { display: flex; flex-wrap: wrap; gap: 4px; }
.beside .run { margin: 0; }
.beside .why { max-width: none; }
.beside button { font: inherit; font-size: 13px; color: inherit; background: none; border: 1px solid var(--line); border-radius: 5px; padding: 2px 9px; cursor: pointer; }
.beside button[aria-pressed="true"] { color: var(--paper); background: var(--accent); border-color: var(--accent); }
.chips { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 10px 0; padding: 0; list-style: none; font-size: 13.5px; }
.equations { display: grid; grid-template-columns: max-content max-content 1fr; gap: 12px 26px; align-items: center; justify-items: start; margin: 16px 0; }
.equations math { font-size: 19px; }
.equations .number { color: var(--muted); }
footer { margin-top: 64px; padding-top: 12px; border-top: 1px solid var(--line); color: var(--muted); font-size: 13.5px; overflow-wrap: anywhere; }
/* Paper cannot be pointed at, and has a frame of each run instead. */
@media screen {
  .has-dashboard-only .charts { display: none; }
}
@media screen and (max-width: 700px) {
  main { padding: 28px 16px 48px; }
  h1 { font-size: 28px; }
  .headline { font-size: 18px; }
  .cards { grid-template-columns: 1fr 1fr; }
  .card { padding: 10px 12px; }
  .card dd { font-size: 22px; }
  /* Its white ground would hide the shadows. */
  figure svg { min-width: 640px; mix-blend-mode: multiply; }
  .chips.keys { display: flex; }
  .wide { display: none; }
  .narrow { display: block; }
  figure .narrow svg { min-width: 0; }
  .sideways { display: block; margin: 0; color: var(--muted); font-size: 12.5px; text-align: right; }
  caption span { display: inline-block; position: sticky; left: 0; max-width: calc(100vw - 32px); white-space: normal; }
  .upright, .winners { font-size: 13px; }
  .upright { width: 100%; min-width: 0; }
  .upright th, .upright td, .winners th, .winners td { padding: 6px 4px; }
  .upright th:first-child, .winners th:first-child { padding-left: 0; }
  .upright td small, .winners td small { display: block; }
  .winners thead th { white-space: normal; }
  .winners td b { white-space: nowrap; }
  .name { white-space: normal; }
  td.who { min-width: 0; }
  .beside { grid-template-columns: minmax(0, 1fr); }
  .stage { position: relative; top: 0; }
  .equations { grid-template-columns: max-content 1fr; }
  .equations p { grid-column: 1 / -1; }
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin-bottom: 8px; }
}
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #1a1a1a; --ink: #e4e7eb; --muted: #a3acb8; --line: #3a4048; --wash: #23272c; --accent: #6db7e8; --shadow: #fff3; }
  /* Charts are drawn in ink on white: this turns white into the paper, and keeps hues. */
  figure svg, .swatch { filter: invert(0.9) hue-rotate(180deg); }
  /* These are drawn in the page's own colours, and workers' colours are those of pictures. */
  .charts svg, #tiles .swatch { filter: none; }
}
@media screen and (prefers-color-scheme: dark) and (max-width: 700px) {
  figure svg { mix-blend-mode: lighten; }
  .charts svg { mix-blend-mode: normal; }
}
@page { size: A4; margin: 15mm 14mm; }
@media print {
  .moving, #frame-by-frame { display: none; }
  details::details-content { content-visibility: visible; }
  summary { display: none; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  h1 { font-size: 20pt; }
  .headline { font-size: 13pt; margin: 10pt 0 14pt; }
  h2 { font-size: 14pt; margin-top: 16pt; padding-top: 8pt; break-after: avoid; }
  h3, caption, h2 + p { break-after: avoid; }
  figcaption, caption, .card dt, .card dd.note, .chips, .charts h3, .charts h3 small, .charts .why, .charts .legend, footer { font-size: 8.5pt; }
  figure, .card, .callout, tr, .equations { break-inside: avoid; }
  .cards { grid-template-columns: repeat(4, 1fr); gap: 8px; }
  .card { padding: 9px 11px; background: none; border: 1px solid var(--line); }
  .card dd { font-size: 16pt; }
  .callout { background: none; }
  p { orphans: 3; widows: 3; }
  figure { margin: 9pt 0; }
  figure svg { max-height: 107mm; }
  figure.tall svg { max-height: 240mm; }
  figure.charts { break-inside: auto; }
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
