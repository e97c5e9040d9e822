/** The dashboard's program, as it is in each report, and the page's, of which it is a part. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { PageFiles } from '../../../../master/page/page-files.ts'
import { dashboardProgram } from '../../../../scripts/report/page/report-dashboard.ts'

test('what a report has inside beside its frames is small, and names nothing elsewhere', () => {
  const { script, style } = dashboardProgram()
  expect(script.length + style.length).toBeLessThan(60_000)
  expect(script.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\/|\bimport\(|\bfetch\(|WebSocket/)
  expect(style).not.toMatch(/https?:|url\(|@import/)
  // Either would end its element, or change how it is read.
  expect(script).not.toMatch(/<\/script|<!--/i)
  expect(style).not.toMatch(/<\//)
})

test('the page and its scripts are at most 120 kB, without the library that checks messages', () => {
  const files = ['', 'page.js', 'page.css', 'page.svg'].map(name => new PageFiles().get(name)!.plain)
  expect(files.reduce((sum, plain) => sum + gzipSync(plain).length, 0)).toBeLessThanOrEqual(120_000)
  for (const text of [dashboardProgram().script, Buffer.from(files[1]!).toString()])
    expect(text).not.toMatch(/ZodError|ZodType/)
})
