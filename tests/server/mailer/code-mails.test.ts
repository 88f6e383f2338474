import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { codeMails } from '#server/mailer/code-mails.ts'
import { MailError, type Mail, type Message } from '#server/outside/mail.ts'
import { systemRandom } from '#server/outside/random.ts'

const MESSAGE: Message = { to: 'ana@club.test', subject: 'Your code', text: '01234567', language: 'en' }

test.each([true, false])(
  'a code that the mail server has, and is slow to accept, stays valid and is not sent again; up before: %s',
  async (isUp) => {
    const send = vi.fn<Mail['send']>().mockRejectedValue(new MailError({ code: 'ETIMEDOUT', command: 'CONN' }, true))
    const mail: Mail = { send, isUp: () => isUp, check: async () => undefined, close: () => undefined }
    const mails = codeMails({ mail, random: systemRandom, log: Fastify({ logger: false }).log })
    const undo = vi.fn<() => Promise<void>>()
    expect(await mails.send(MESSAGE, undo)).toBe(true)
    await mails.close()
    expect(send).toHaveBeenCalledTimes(1)
    expect(undo).not.toHaveBeenCalled()
  },
)

test('a code of which a try had no answer stays valid, though the mail server then takes no more', async () => {
  const failures = [new MailError({ code: 'ECONNECTION' }, true), new MailError({ code: 'ECONNECTION' })]
  const send = vi.fn<Mail['send']>(async () => Promise.reject(failures.shift() ?? new MailError({ code: 'ECONNECTION' })))
  const mail: Mail = { send, isUp: () => true, check: async () => undefined, close: () => undefined }
  const mails = codeMails({ mail, random: systemRandom, log: Fastify({ logger: false }).log })
  const undo = vi.fn<() => Promise<void>>()
  expect(await mails.send(MESSAGE, undo)).toBe(true)
  await mails.close()
  expect(send).toHaveBeenCalledTimes(2)
  expect(undo).not.toHaveBeenCalled()
})
