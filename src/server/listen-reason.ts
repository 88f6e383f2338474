import { errorCode } from './error-code.ts'
import type { ListenAddress } from './local-address.ts'

/**
 * Why a server cannot listen, for the operator.
 * @param settings the names of the two
 */
export function listenReason(error: unknown, { port, host }: ListenAddress, settings: { port: string; host: string }): string {
  const code = errorCode(error)
  if (code === 'EADDRINUSE')
    return `${settings.port}: ${port} on ${host} is in use by another program. Stop it, or choose another ${settings.port}.`
  const isNotOurs = code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN'
  if (isNotOurs) return `${settings.host}: ${host} is not an address of this machine. Choose 127.0.0.1, or 0.0.0.0 for all of its networks.`
  return `${settings.port}: ${error instanceof Error ? error.message : String(error)}`
}
