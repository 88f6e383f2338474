import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { codeMails } from '#server/mailer/code-mails.ts'
import { MailError, type Mail, type Message } from '#server/outside/mail.ts'
import { systemRandom } from '#server/outside/random.ts'

const MESSAGE: Message = { to: 'ana@club.test', subject: 'Your code', text: '01234567', language: 'en' }

/** A code that the mail server never says it accepts: each try fails with the next of these, further ones with the last. */
async function sendCode(failures: readonly MailError[], isUp = true) {
  let tries = 0
  const send: Mail['send'] = async () => {
    tries += 1
    throw failures[tries - 1] ?? failures.at(-1)
  }
  const mail: Mail = { send, isUp: () => isUp, check: async () => undefined, close: () => undefined }
  const mails = codeMails({ mail, random: systemRandom, log: Fastify({ logger: false }).log })
  const undo = vi.fn<() => Promise<void>>().mockResolvedValue()
  const isTaken = await mails.send(MESSAGE, undo)
  await mails.close()
  return { isTaken, tries, isWithdrawn: undo.mock.calls.length > 0 }
}

const slow = new MailError({ code: 'ETIMEDOUT', command: 'CONN' }, true)
const hungUp = new MailError({ code: 'ECONNECTION' }, true)
const unreached = new MailError({ code: 'ECONNECTION' })

test.each([true, false])(
  'a code that the mail server has, and is slow to accept, stays valid and is sent once; up before: %s',
  async (isUp) => {
    expect(await sendCode([slow], isUp)).toEqual({ isTaken: true, tries: 1, isWithdrawn: false })
  },
)

test('a code of which a try had no answer stays valid, though the mail server then takes no more', async () => {
  expect(await sendCode([hungUp, unreached])).toEqual({ isTaken: true, tries: 2, isWithdrawn: false })
})

test('one that never reached the mail server is withdrawn', async () => {
  expect(await sendCode([unreached])).toMatchObject({ isWithdrawn: true })
})
