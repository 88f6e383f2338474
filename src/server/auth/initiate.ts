import type { auth } from '#contract/auth.ts'
import type { Handler } from '../http/handler.ts'
import { clientKeyName, clientOf, unknownDeviceAt } from './client.ts'
import { ofUnnamed } from './count-keys.ts'
import { knownDevice } from './known-device.ts'
import { startWithCode } from './send-code.ts'

/** Looks up no account, so that known, unknown and deactivated addresses get the same reply (LOGIN-19). */
export const initiate: Handler<typeof auth.initiate> = async ({ body, language, networkAddress, refuse, deps }) => {
  const { keys, random, limits } = deps
  const { email, userTypeCode: userType, firstName = null, lastName = null, city = null, country = null } = body
  const known = knownDevice(deps, email, body.devices ?? [])
  // known devices are not locked out by others at the same network address
  const wait = known === '' ? await limits.take('startsPerAddress', networkAddress) : await limits.take('startsPerDevice', known)
  if (wait) return refuse('TOO_MANY_REQUESTS', wait)
  const id = random.id()
  const device = known === '' ? unknownDeviceAt(keys, email, networkAddress) : known
  const client = clientOf(keys, email, body.deviceId) || ofUnnamed(id)
  const person = { email, userType, firstName, lastName, city, country, language }
  const clientKey = clientKeyName(keys)
  const started = await startWithCode({ deps, language, refuse }, { id, ...person, device, client, clientKey, purpose: 'sign-in' })
  // only a code of one's own account depends on it
  if (!started) throw new Error('a sign-in was refused as of a closed account')
  return started
}
