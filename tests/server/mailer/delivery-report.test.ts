import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDeliveryReport, readJsonReport } from '#server/mailer/delivery-report.ts'
import { mailIdsIn, messageIdOf } from '#server/mailer/message-ids.ts'

/** Reports by a real mail server (Exim 4.96, the files), and fields as others write them. MAIL-12 */

const ID = '0a1b2c3d-4e5f-4789-8abc-def012345678'

const fromFile = async (name: string) => {
  const text = await readFile(new URL(`delivery-reports/${name}.eml`, import.meta.url), 'utf8')
  return Buffer.from(text.replaceAll('MESSAGE-ID', messageIdOf(ID)))
}

describe('a delivery report from Exim', () => {
  test.each([
    ['exim-gone-whole', 'not-accepted', '5.0.0'],
    ['exim-out-of-reach', 'not-accepted', '5.0.0'],
    ['exim-nouser', 'unknown-address', '550 5.1.1'],
    ['exim-full', 'mailbox-full', '552 5.2.2'],
    ['exim-policy', 'not-accepted', '550 5.7.1'],
    ['exim-later', 'not-accepted', '451 4.3.0'],
  ])('%s: %s', async (name, why, code) => {
    const bytes = await fromFile(name)
    expect(await readDeliveryReport(bytes)).toEqual({ mailIds: [ID], bounce: { why, code } })
    // as HTTP clients and Windows mail servers may send it
    const crlf = Buffer.from(
      bytes
        .toString('latin1')
        .replace(/^From .*\n/, '')
        .replaceAll('\n', '\r\n'),
      'latin1',
    )
    expect(await readDeliveryReport(crlf)).toEqual({ mailIds: [ID], bounce: { why, code } })
  })

  test('that a mail is delayed or was delivered is not a bounce', async () => {
    for (const action of ['delayed', 'delivered', 'relayed', 'expanded']) {
      const bytes = Buffer.from((await fromFile('exim-nouser')).toString().replace('Action: failed', `Action: ${action}`))
      expect(await readDeliveryReport(bytes)).toEqual({ mailIds: [ID], bounce: null })
    }
  })

  test('identifies the mail by its header or its envelope, whichever is there', async () => {
    const text = (await fromFile('exim-nouser')).toString()
    for (const part of [/^Original-Envelope-ID: .*\n/m, /^Message-ID: .*\n/m])
      expect((await readDeliveryReport(Buffer.from(text.replace(part, ''))))?.mailIds).toEqual([ID])
    // what anybody could write into the text of a mail does not count
    const without = text.replace(/^Original-Envelope-ID: .*\n/m, '').replace(/^Message-ID: <.*\n/m, '')
    expect((await readDeliveryReport(Buffer.from(`${without}\n${messageIdOf(ID)}`)))?.mailIds).toEqual([])
  })
})

describe('the reason for a bounce, from the status and the quoted reply', () => {
  // examples of RFC 3464 (appendix E), then as large providers and mail servers write it
  test.each<[string | undefined, string | undefined, string, string]>([
    ['4.0.0', 'smtp; 426 connection timed out', 'not-accepted', '426'],
    ['5.0.0', "smtp; 550 'arathib@vnet.IBM.COM' is not a registered gateway user", 'not-accepted', '550'],
    ['5.0.0', 'smtp; 550 looks like spam', 'not-accepted', '550'],
    ['5.1.1', 'smtp; 550 no such user', 'unknown-address', '550 5.1.1'],
    ['5.1.1', undefined, 'unknown-address', '5.1.1'],
    ['5.1.1', 'smtp; 550 5.1.1 <p@club.test>: Recipient address rejected: User unknown', 'unknown-address', '550 5.1.1'],
    ['5.1.1', 'smtp; 550-5.1.1 The email account that you tried to reach does not exist.', 'unknown-address', '550 5.1.1'],
    ['5.1.10', 'smtp; 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found', 'unknown-address', '550 5.1.10'],
    ['5.1.2', 'X-Postfix; Host or domain name not found.', 'unknown-address', '5.1.2'],
    ['5.4.4', 'X-Postfix; Host found but no MX record', 'unknown-address', '5.4.4'],
    ['5.2.1', 'smtp; 550 5.2.1 The email account is disabled.', 'unknown-address', '550 5.2.1'],
    ['5.2.2', 'smtp; 552-5.2.2 The recipient’s inbox is out of storage space', 'mailbox-full', '552 5.2.2'],
    ['4.2.2', 'smtp; 452 4.2.2 mailbox full', 'mailbox-full', '452 4.2.2'],
    ['5.0.0', 'smtp; 552 Requested mail action aborted: exceeded storage allocation', 'mailbox-full', '552'],
    ['5.1.8', 'smtp; 550 5.1.8 Access denied, bad sender', 'not-accepted', '550 5.1.8'],
    ['5.7.1', 'smtp; 550 5.7.1 blocked by policy', 'not-accepted', '550 5.7.1'],
    ['5.7.26', 'smtp; 550-5.7.26 not authenticated', 'not-accepted', '550 5.7.26'],
    ['5.4.7', 'smtp; delivery expired', 'not-accepted', '5.4.7'],
    ['4.4.1', undefined, 'not-accepted', '4.4.1'],
    ['5.0.0', 'smtp; 554 rejected', 'not-accepted', '554'],
    ['5.0.0', undefined, 'not-accepted', '5.0.0'],
    [undefined, undefined, 'not-accepted', 'unknown'],
    ['nonsense', 'nonsense', 'not-accepted', 'unknown'],
  ])('%s, %s: %s', (status, diagnostic, why, code) => {
    const bytes = Buffer.from(JSON.stringify({ messageId: `<${messageIdOf(ID)}@portal.test>`, status, diagnostic }))
    expect(readJsonReport(bytes)).toEqual({ mailIds: [ID], bounce: { why, code } })
  })

  test('quotes numbers only, never an address', () => {
    const bytes = Buffer.from(JSON.stringify({ messageId: 'x', diagnostic: 'smtp; 550 5.1.1 <player@club.test> 12345678' }))
    expect(readJsonReport(bytes)?.bounce?.code).toBe('550 5.1.1')
  })
})

test('anything else is not taken for a report, whatever its bytes', async () => {
  const whole = await fromFile('exim-nouser')
  for (const text of ['', '{}', '[]', 'null', '{"messageId":1}', 'From: a@b.test\n\nNot here until Monday.']) {
    expect(readJsonReport(Buffer.from(text))).toBeNull()
    expect(await readDeliveryReport(Buffer.from(text))).toBeNull()
  }
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.nat(whole.length), fc.nat(200), async (noise, at, length) => {
      const spoilt = Buffer.concat([whole.subarray(0, at), noise, whole.subarray(at + length)])
      for (const one of [Buffer.from(noise), spoilt]) {
        readJsonReport(one)
        await readDeliveryReport(one)
      }
    }),
    { numRuns: 300 },
  )
})

test('a mail of empty lines, of any size, is not a report and takes no memory', async () => {
  const before = process.resourceUsage().maxRSS
  const whole = await fromFile('exim-nouser')
  expect(await readDeliveryReport(Buffer.concat([whole, Buffer.alloc(1_000_000 - whole.length, '\n')]))).toBeNull()
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(200_000)
})

test('of a report that names thousands of mails only a few are used', () => {
  const names = Array.from({ length: 20_000 }, () => `<${messageIdOf(randomUUID())}@portal.test>`)
  expect(mailIdsIn(names.join(' '))).toHaveLength(3)
})

test('the Message-ID of each mail leads back to it, and has no run of digits', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(messageIdOf(id)).toMatch(/^[a-p-]{36}$/)
      expect(mailIdsIn(`<${messageIdOf(id)}@portal.test>`)).toEqual([id])
      // of a code, whose mail is not stored
      if (/\d/.test(id)) expect(mailIdsIn(`<${id}@portal.test>`)).toEqual([])
    }),
  )
})
