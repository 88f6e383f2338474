import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { EXIT, Stop, textOf } from './stop.ts'

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Node looks for NODE_EXTRA_CA_CERTS as it begins, in its environment alone: one of a settings file would count for the server only. */
export function trustAuthorities(path: string): void {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Stop(`NODE_EXTRA_CA_CERTS: ${path} cannot be read: ${textOf(error)}`, EXIT.usage)
  }
  setDefaultCACertificates([...getCACertificates('default'), ...(text.match(CERTIFICATES) ?? [])])
}
