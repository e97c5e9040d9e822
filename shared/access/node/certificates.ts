/** Certificates in PEM form, as users give them. */
import { X509Certificate } from 'node:crypto'
import { messageOf, OptionError } from '../../errors.ts'

/** The first certificate of a file. @throws OptionError */
export function certificateOf(option: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    throw new OptionError(option, 'a certificate in PEM form', `text that is none (${messageOf(error)})`)
  }
}
