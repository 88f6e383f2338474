/**
 * What tells the server that this device signed in before, one secret for each person who did: so nobody elsewhere can
 * use up their tries. It opens nothing, names nobody, and stays when somebody signs out, like the language. LOGIN-18
 */
import { remember } from '#app/remember.ts'
import { DEVICES_MAXIMUM } from '#contract/constants.ts'

export const DEVICES_KEY = 'knownDevices'

/** Newest first. What is not a secret is left out: the sign-in must not fail for it. */
export function knownDevices(): string[] {
  const stored = localStorage.getItem(DEVICES_KEY) ?? ''
  return stored
    .split(' ')
    .filter((one) => /^[\w.-]{1,200}$/.test(one))
    .slice(0, DEVICES_MAXIMUM)
}

export function storeKnownDevice(secret: string): void {
  const others = knownDevices().filter((one) => one !== secret)
  // without it whoever is signed in stays so: the next sign-in is a new device's
  remember(DEVICES_KEY, [secret, ...others].slice(0, DEVICES_MAXIMUM).join(' '))
}

export const DEVICE_ID_KEY = 'deviceId'

/**
 * The random id that this device gave itself; undefined before its first sign-in. Only here can a sign-in continue
 * that was begun here, and only here is a session renewed (LOGIN-17, SESSION-14). It stays when somebody signs out, like the secrets.
 */
export function deviceId(): string | undefined {
  const stored = localStorage.getItem(DEVICE_ID_KEY) ?? ''
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(stored) ? stored : undefined
}

/** Made where there is none. */
export function deviceIdForSignIn(): string {
  const known = deviceId()
  if (known !== undefined) return known
  const made = crypto.randomUUID()
  localStorage.setItem(DEVICE_ID_KEY, made)
  return made
}
