import { expect, test } from 'vitest'
import { sessionPort } from '#app/api/session-port.ts'
import { unlessSignedOut } from '#app/api/unless-signed-out.ts'

/** The outcome of a write is for its sender. SESSION-21 */

const signedOut = new Set<string>()
let reader: string | undefined
sessionPort.provide({
  token: async () => undefined,
  storedToken: () => undefined,
  userId: () => reader,
  storedUserId: () => reader,
  hasSignedOut: (userId) => signedOut.has(userId),
  renew: async () => false,
  noteAccepted: () => undefined,
  subscribe: () => () => undefined,
})

/** What the sender is told of work that ends after `meanwhile`. */
async function told(work: () => Promise<string>, meanwhile: () => void): Promise<string> {
  reader = 'ana'
  signedOut.clear()
  const outcome = unlessSignedOut(async () => {
    meanwhile()
    return work()
  }).catch((error: unknown) => String(error))
  return Promise.race([outcome, new Promise<string>((resolve) => setImmediate(() => resolve('nothing')))])
}

const saved = async () => 'saved'
const refused = () => Promise.reject(new Error('refused'))
function signOut(): void {
  signedOut.add('ana')
  reader = 'ben'
}

test.each([
  ['stayed', () => undefined, 'saved', 'Error: refused'],
  ['signed out', signOut, 'nothing', 'nothing'],
  [
    'signed out, and in again',
    () => {
      signOut()
      signedOut.delete('ana')
    },
    'saved',
    'Error: refused',
  ],
])('somebody who %s', async (_, meanwhile, ifSaved, ifRefused) => {
  expect([await told(saved, meanwhile), await told(refused, meanwhile)]).toEqual([ifSaved, ifRefused])
})
