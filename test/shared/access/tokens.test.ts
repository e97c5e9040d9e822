import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTokens, secretOf } from '../../../shared/access/tokens.ts'
import { messageOf } from '../../../shared/errors.ts'

const [A, B, C] = ['a', 'b', 'c'].map(letter => letter.repeat(32)) as [string, string, string]

describe('tokens', () => {
  it.each([
    ['one secret for everything', A, { worker: A, client: A, viewer: A, operate: A }],
    ['a line of a file', `${A}\n`, { worker: A, client: A, viewer: A, operate: A }],
    ['a line written on Windows', `\uFEFF${A}\r\n`, { worker: A, client: A, viewer: A, operate: A }],
    ['base64', `${A}==`, { worker: `${A}==`, client: `${A}==`, viewer: `${A}==`, operate: `${A}==` }],
    [
      'one for each',
      `# ours\nworker=${A}\n\nclient = ${B}\nviewer=${C}`.replace(' = ', '='),
      { worker: A, client: B, viewer: C },
    ],
    ['one for two', `client=${A}\noperate=${A}`, { client: A, operate: A }],
    ['for some', `worker=${A}\nclient=${A}==`, { worker: A, client: `${A}==` }],
  ])('are %s', (_, text, tokens) => {
    expect(parseTokens('SORTFIRST_TOKEN', text)).toEqual(tokens)
  })

  it.each([
    ['nothing', '', /expected a secret of at least 16 characters .*, got nothing$/],
    ['only comments', '# none yet\n', /got nothing$/],
    ['a short one', 'hunter2', /expected a secret of 16 to 256 characters.*openssl rand.*, got one of 7$/],
    ['a short one of a right', `worker=${A}\nclient=hunter2`, /got one of 7$/],
    ['a long one', 'hunter2'.repeat(40), /got one of 280$/],
    ['one with spaces', `hunter2 ${A}`, /expected a secret of the characters/],
    ['a right that there is not', `wroker=hunter2${A}`, /expected a secret of the characters/],
    [
      'two that stand alone',
      `hunter2${A}\nhunter2${B}`,
      /or lines worker=…, client=…, viewer=…, operate=…, got a line 1 that/,
    ],
    ['one that stands alone among others', `worker=${A}\nhunter2${B}`, /got a line 2 that is none of these$/],
    ['two of a right', `worker=hunter2${A}\nworker=${B}`, /got two lines worker=…$/],
  ])('are not %s, and the error does not repeat it', (_, text, sentence) => {
    let said = ''
    try {
      parseTokens('--token-file secrets', text)
    } catch (error) {
      said = messageOf(error)
    }
    expect(said).toMatch(/^--token-file secrets: expected /)
    expect(said).toMatch(sentence)
    expect(said).not.toMatch(/hunter2|aaa|bbb/)
  })

  it('are presented by those whom they are for', () => {
    const tokens = parseTokens('SORTFIRST_TOKEN', `worker=${A}\nviewer=${C}`)
    expect(secretOf('SORTFIRST_TOKEN', tokens, 'worker')).toBe(A)
    expect(() => secretOf('SORTFIRST_TOKEN', tokens, 'client')).toThrow(
      'SORTFIRST_TOKEN: expected a line client=…, or one secret for everything, got lines for worker and viewer only',
    )
  })

  it('are read or refused, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '=', '\n', ' ', '#', 'worker=', 'client=', A, 'ü', '\0') }),
        text => {
          try {
            for (const secret of Object.values(parseTokens('t', text)))
              expect(secret).toMatch(/^[a-z\-._~+/]{16,256}=*$/)
          } catch (error) {
            expect(messageOf(error)).toMatch(/^t: expected .*, got /)
            expect(messageOf(error)).not.toContain(A)
          }
        },
      ),
    )
  })
})
