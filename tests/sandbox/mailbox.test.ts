import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'
import { startMailbox } from '#sandbox/mailbox/mailbox.ts'

const MAILS = 20
const clock = { now: () => new Date() }

async function send(smtpUrl: string, to: string): Promise<void> {
  const transport = createTransport(smtpUrl)
  await transport.sendMail({ from: 'touchline@club.test', to, subject: 'A code', text: to })
  transport.close()
}

test('two processes with one data folder lose none of each other’s mails', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'touchline-mailbox-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const mailboxes = await Promise.all([0, 1].map(() => startMailbox({ dataDir, clock })))
  const addresses = mailboxes.flatMap((mailbox, index) =>
    Array.from({ length: MAILS }, (_, count) => ({ smtpUrl: mailbox.smtpUrl, to: `p${index}.${count}@club.test` })),
  )
  await Promise.all(addresses.map(({ smtpUrl, to }) => send(smtpUrl, to)))
  for (const mailbox of mailboxes) await mailbox.close()
  const reopened = await startMailbox({ dataDir, clock })
  onTestFinished(() => reopened.close())
  expect(
    reopened
      .list()
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(addresses.map(({ to }) => to).toSorted())
})
