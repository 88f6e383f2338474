import PostalMime from 'postal-mime'
import * as z from 'zod/mini'
import type { BounceReason } from '#contract/rules/statuses.ts'
import { mailIdsIn } from './message-ids.ts'

/** What a mail server reports about a mail of ours (RFC 3464), or a mail provider in its words. */
interface DeliveryReport {
  /** mails of ours that it names: one, unless it is not about any */
  mailIds: string[]
  /** null: it was delivered, or is only late */
  bounce: { why: BounceReason; code: string } | null
}

/** Fields of the report by lower-case name. */
type Fields = Partial<Record<string, string>>

/** A report with a whole mail of ours in it has some hundreds. The parser takes 2 kB for each, so that 1 MB of empty ones would end the process. */
const LINES_MAXIMUM = 10_000

/** null: not a delivery report. */
export async function readDeliveryReport(bytes: Buffer): Promise<DeliveryReport | null> {
  if (hasMoreLines(bytes, LINES_MAXIMUM)) return null
  // a mailbox that is piped to us may begin with the line that separates mails in a file
  const text = bytes.toString('latin1').replace(/^From .*\r?\n/, '')
  const report = await PostalMime.parse(Buffer.from(text, 'latin1'), { forceRfc822Attachments: true, maxNestingDepth: 20 }).catch(
    () => null,
  )
  const part = (...types: string[]) => {
    const found = report?.attachments.find(({ mimeType }) => types.includes(mimeType))
    return found && Buffer.from(found.content as ArrayBuffer).toString('utf8') // `attachmentEncoding` is not set: bytes
  }
  const status = part('message/delivery-status')
  if (status === undefined) return null
  const [ofMail = {}, ...ofRecipients] = blocksOf(status)
  const [ofOriginal = {}] = blocksOf(part('text/rfc822-headers', 'message/rfc822') ?? '')
  // we send each mail to one recipient
  const failed = ofRecipients.find(({ action }) => action?.toLowerCase() === 'failed')
  return { mailIds: mailIdsIn(`${ofMail['original-envelope-id']} ${ofOriginal['message-id']}`), bounce: failed ? bounceOf(failed) : null }
}

function hasMoreLines(bytes: Buffer, maximum: number): boolean {
  let at = -1
  for (let lines = 0; lines <= maximum; lines += 1) {
    at = bytes.indexOf(10, at + 1)
    if (at === -1) return false
  }
  return true
}

const inJson = z.object({
  messageId: z.string(),
  action: z._default(z.string(), 'failed'),
  status: z.optional(z.string()),
  diagnostic: z.optional(z.string()),
})

/** null: not what the contract says. */
export function readJsonReport(bytes: Buffer): DeliveryReport | null {
  let given: unknown
  try {
    given = JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
  const parsed = inJson.safeParse(given)
  if (!parsed.success) return null
  const { messageId, action, status, diagnostic } = parsed.data
  const fields = { ...(status === undefined ? {} : { status }), ...(diagnostic === undefined ? {} : { 'diagnostic-code': diagnostic }) }
  return { mailIds: mailIdsIn(messageId), bounce: action.toLowerCase() === 'failed' ? bounceOf(fields) : null }
}

/** Groups of header fields, separated by empty lines. */
function blocksOf(text: string): Fields[] {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .trim()
    .split(/\n{2,}/)
    .map((block) =>
      Object.fromEntries(
        [...block.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)].map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]),
      ),
    )
}

/** Of the addressee (RFC 3463), except 5.1.7 and 5.1.8, which are of the sender; 5.2.1 is a mailbox that was closed, 5.4.4 a domain without mail. */
const OF_ADDRESS = /^5\.(1\.(?![78]$)\d+|2\.1|4\.4)$/

/**
 * Some mail servers give 5.0.0 as the status of any failure, and the true code only in the reply of the other server that they quote; so the quoted
 * one comes first. Nothing but these numbers is kept, since the text quotes addresses.
 */
function bounceOf({ status, 'diagnostic-code': diagnostic }: Fields): { why: BounceReason; code: string } {
  const [, reply, quoted] = /\b([245]\d\d)\b(?:[ -]+#?([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(diagnostic ?? '') ?? []
  const stated = /^[245]\.\d{1,3}\.\d{1,3}/.exec(status ?? '')?.[0]
  const enhanced = quoted ?? (stated !== undefined && stated.endsWith('.0.0') && reply !== undefined ? undefined : stated)
  const code = [reply, enhanced].filter((one) => one !== undefined).join(' ') || 'unknown'
  return { why: reasonOf(reply, enhanced), code }
}

function reasonOf(reply: string | undefined, enhanced: string | undefined): BounceReason {
  if (enhanced?.endsWith('.2.2')) return 'mailbox-full'
  // neither 5.0.0, which Exim also reports of an unreachable server, nor 550, also a refusal of spam, proves that nobody has the address
  if (enhanced !== undefined && OF_ADDRESS.test(enhanced)) return 'unknown-address'
  return enhanced === undefined && (reply === '452' || reply === '552') ? 'mailbox-full' : 'not-accepted'
}
