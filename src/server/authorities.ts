import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Trusts the certificates of NODE_EXTRA_CA_CERTS. Node itself reads it at its start, and not from a settings file (--env-file). */
export function trustAuthorities(path: string | undefined): void {
  if (!path || getCACertificates('extra').length > 0) return
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`NODE_EXTRA_CA_CERTS: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  setDefaultCACertificates([...getCACertificates('default'), ...(text.match(CERTIFICATES) ?? [])])
}
