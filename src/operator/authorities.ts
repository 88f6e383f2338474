import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { EXIT, ExitError, textOf } from './exit.ts'

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Node reads NODE_EXTRA_CA_CERTS only at its start and from its environment: one in a settings file would apply to the server only. */
export function trustAuthorities(path: string): void {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ExitError(`NODE_EXTRA_CA_CERTS: ${path} cannot be read: ${textOf(error)}`, EXIT.usage)
  }
  setDefaultCACertificates([...getCACertificates('default'), ...(text.match(CERTIFICATES) ?? [])])
}
