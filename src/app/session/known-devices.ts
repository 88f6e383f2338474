/**
 * What tells the server that this device signed in before, one secret for each person who did: so nobody elsewhere can
 * use up their tries. It opens nothing, names nobody, and stays when somebody signs out, like the language. promises C4
 */
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

export function keepKnownDevice(secret: string): void {
  const others = knownDevices().filter((one) => one !== secret)
  localStorage.setItem(DEVICES_KEY, [secret, ...others].slice(0, DEVICES_MAXIMUM).join(' '))
}
