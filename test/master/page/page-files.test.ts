/** The page's files as they are served: small, and with nothing that a page does not need. */
import { describe, expect, it } from 'vitest'
import { PageFiles } from '../../../master/page/page-files.ts'

const files = new PageFiles()

describe('the page', () => {
  it('is small, packed', () => {
    const packed = ['', 'page.js', 'page.css', 'page.svg'].map(name => files.get(name)!.packed.length)
    expect(packed.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(120_000)
  })

  it.each(['page.js', 'join.js'])('has no parser: %s', name => {
    // Parts of its messages are values of modules that have one.
    expect(Buffer.from(files.get(name)!.plain).toString()).not.toMatch(/ZodError|invalid_type/)
  })
})
