/**
 * Secrets that tell the server that this device signed in before, one for each person, so that nobody elsewhere can use up
 * their tries. They give no access, name nobody, and stay at sign-out, like the language. LOGIN-18
 */
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { DEVICE_SECRETS_MAXIMUM } from '#contract/constants.ts'

export const DEVICES_KEY = 'knownDevices'

/** The secrets, newest first. Malformed ones are left out, as the server would refuse the sign-in. */
export function knownDevices(): string[] {
  const stored = localStorage.getItem(DEVICES_KEY) ?? ''
  return stored
    .split(' ')
    .filter((one) => /^[\w.-]{1,200}$/.test(one))
    .slice(0, DEVICE_SECRETS_MAXIMUM)
}

export function storeKnownDevice(secret: string): void {
  const others = knownDevices().filter((one) => one !== secret)
  // if it cannot be stored, the next sign-in counts as a new device's
  trySetItem(DEVICES_KEY, [secret, ...others].slice(0, DEVICE_SECRETS_MAXIMUM).join(' '))
}

export const DEVICE_ID_KEY = 'deviceId'

/**
 * This device's random id; undefined before its first sign-in. A sign-in can only be finished, and a session only refreshed, on
 * the device that began it (LOGIN-17, SESSION-14). It stays at sign-out, like the secrets.
 */
export function signInDeviceId(): string | undefined {
  const stored = localStorage.getItem(DEVICE_ID_KEY) ?? ''
  return isId(stored) ? stored : undefined
}

const isId = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)

/** This device's id; created if there is none. Throws if the storage is full. */
export function ensureSignInDeviceId(): string {
  const known = signInDeviceId()
  if (known !== undefined) return known
  const made = crypto.randomUUID()
  localStorage.setItem(DEVICE_ID_KEY, made)
  return made
}

export const ANSWERS_DEVICE_KEY = 'answersDeviceId'

/**
 * A copy of the id that saves carry (device/store/dexie-reads.ts), for pages whose database takes none: to the server, two ids are two
 * devices. Undefined before the first sign-in; it stays at sign-out, like the others.
 */
export function answersDeviceId(): string | undefined {
  const stored = localStorage.getItem(ANSWERS_DEVICE_KEY) ?? ''
  return isId(stored) ? stored : undefined
}

export function storeAnswersDeviceId(id: string): void {
  if (answersDeviceId() !== id) trySetItem(ANSWERS_DEVICE_KEY, id)
}
