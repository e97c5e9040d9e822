import { describe, expect, it } from 'vitest'
import { checkedTls } from '../../../master/http/tls.ts'
import { EXPIRED_CERT, OTHER_TLS, TLS } from '../../support/tls.ts'

const NOW = Date.UTC(2030, 0, 1)

describe('a certificate and its key', () => {
  it('are taken', () => {
    expect(checkedTls(TLS, NOW)).toEqual(TLS)
  })

  it.each([
    ['text that is no certificate', { ...TLS, cert: 'certificate' }, '--tls-cert: expected a certificate in PEM form'],
    ['a key for a certificate', { ...TLS, cert: TLS.key }, '--tls-cert: expected a certificate in PEM form'],
    ['a certificate for a key', { ...TLS, key: TLS.cert }, '--tls-key: expected a private key in PEM form, without'],
    ['the key of another', { ...TLS, key: OTHER_TLS.key }, '--tls-key: expected the private key of the certificate'],
    [
      'an expired one',
      { ...TLS, cert: EXPIRED_CERT },
      'a certificate that is valid now, got one that expired on 2020-01-02',
    ],
  ])('are not %s', (_, tls, sentence) => {
    expect(() => checkedTls(tls, NOW)).toThrow(sentence)
  })

  it('are not of the future', () => {
    expect(() => checkedTls(TLS, Date.UTC(2019, 0, 1))).toThrow('got one valid from 2020-01-01')
  })
})
