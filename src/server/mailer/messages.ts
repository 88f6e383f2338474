import { fillIn } from '#contract/rules/fill-in.ts'
import type { Language } from '#contract/languages.ts'
import { screens } from '#contract/screens.ts'
import type { Message } from '../outside/mail.ts'
import { storedLanguage, wordsOf } from '../words/words.ts'
import { messageIdOf } from './message-ids.ts'
import type { AccountMail, AllocationMail, QueuedMail } from './store.ts'

/**
 * Turns the facts of a mail into text and HTML in its language. Links lead to `publicUrl` only; `token` is the address's own, to
 * unsubscribe with (unsubscribe-tokens.ts).
 */
export function messageOf(mail: QueuedMail, publicUrl: string, token: string): Message {
  const language = storedLanguage(mail.language)
  if (mail.instanceId === null) return noticeOf(mail, language, publicUrl)
  const { subject, ...body } = partsOf(mail, language, publicUrl, token)
  const { before, link, after, last } = body
  const plain = (one: Link) => `${one.label}\n${one.url}`
  const text = [...before, plain(link), ...after, ...last.map(plain)].join('\n\n')
  // called by the mail program's own unsubscribe button
  const unsubscribeUrl = isToPlayer(mail) ? { unsubscribeUrl: `${publicUrl}/api/invitations/stop?token=${token}` } : {}
  const content = { subject, text: `${text}\n`, html: htmlOf(language, body), language }
  return { to: mail.to, ...content, id: messageIdOf(mail.id), mayTakeLong: true, ...unsubscribeUrl }
}

/** Sent at a coach's request to somebody who did not ask for it, and who may unsubscribe. */
export function isToPlayer({ kind }: Pick<QueuedMail, 'kind'>): boolean {
  return kind === 'invitation' || kind === 'taken-back'
}

const NOTICES: Record<AccountMail['kind'], { subject: string; text: string }> = {
  'session-ended': { subject: 'SessionEndedSubject', text: 'SessionEndedText' },
  'new-device': { subject: 'NewDeviceSubject', text: 'NewDeviceText' },
  'account-closed': { subject: 'ClosedSubject', text: 'ClosedText' },
}

/** Tells the owner of an account what happened to it: text only. */
function noticeOf({ id, kind, to, facts }: AccountMail, language: Language, publicUrl: string): Message {
  const words = wordsOf(language).mail
  const values = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, withoutCode(value)]))
  const say = (key: string) => fillIn(words[key] ?? '', { ...values, link: `${publicUrl}${screens.profile.path}` })
  const keys = NOTICES[kind]
  const text = `${say(keys.text)}\n\n${say('Signature')}\n`
  return { to, subject: say(keys.subject), text, language, id: messageIdOf(id), mayTakeLong: true }
}

interface Link {
  label: string
  url: string
}

interface Body {
  before: string[]
  link: Link
  after: string[]
  /** below the signature */
  last: Link[]
}

function partsOf(
  { kind, facts, instanceId }: Pick<AllocationMail, 'kind' | 'facts' | 'instanceId'>,
  language: Language,
  publicUrl: string,
  token: string,
): Body & { subject: string } {
  const words = wordsOf(language).mail
  const someCoach = (place: number) => words[place === 0 ? 'SomeCoach' : 'SomeCoachInside'] ?? ''
  const fact = (name: string, place: number) => facts[name] || (name === 'coach' ? someCoach(place) : '')
  const say = (key: string) =>
    (words[key] ?? '').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string, place: number) => withoutCode(fact(name, place)))
  const link = (label: string, path: string): Link => ({ label: say(label), url: `${publicUrl}${path}` })
  const unsubscribe = link('InvitationStop', `${screens.stopInvitations.path}?token=${token}`)
  switch (kind) {
    case 'token-returned': {
      const [subject, what] = facts['isOwed'] ? ['TokenMadeUpSubject', 'TokenMadeUpText'] : ['TokenReturnedSubject', 'TokenReturnedText']
      return {
        subject: say(subject ?? ''),
        before: [say('Greeting'), say(what ?? '')],
        link: link('TokenReturnedOpen', '/'),
        after: [say('Signature')],
        last: [],
      }
    }
    case 'taken-back':
      return {
        subject: say('TakenBackSubject'),
        before: [say('Greeting'), say('TakenBackText')],
        link: link('TakenBackOpen', '/'),
        after: [say('Signature')],
        last: [unsubscribe],
      }
    case 'invitation': {
      const [subject, what] = facts['isReminder'] ? ['ReminderSubject', 'ReminderText'] : ['InvitationSubject', 'InvitationText']
      const account = facts['hasAccount'] ? [] : [say('InvitationAccount')]
      return {
        subject: say(subject ?? ''),
        before: [say('Greeting'), say(what ?? ''), say('InvitationLength'), say('InvitationPrivate')],
        // the link holds no secret: opening it requires signing in (MAIL-3)
        link: link('InvitationOpen', `/assessment/${instanceId}/brief`),
        after: [say('InvitationApp'), ...account, say('InvitationUnknown'), say('Signature')],
        last: [unsubscribe],
      }
    }
  }
}

/** Only a one-time code may be a run of 8 digits (MAIL-1), even if an address or a name contains one. */
function withoutCode(text: string): string {
  return text.replaceAll(/\d{8,}/g, (run) => `${run.slice(0, 3)}…`)
}

function htmlOf(language: Language, { before, link, after, last }: Body): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`
  const button = 'display:inline-block;padding:14px 24px;border-radius:8px;background:#0f5438;color:#ffffff;text-decoration:none'
  const page = 'max-width:560px;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1a221c'
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head><body style="margin:0;background:#ffffff">`,
    `<div style="${page}">`,
    ...before.map(paragraph),
    `<p style="margin:0 0 16px"><a href="${escaped(link.url)}" style="${button}">${escaped(link.label)}</a></p>`,
    ...after.map(paragraph),
    ...last.map((one) => `<p style="margin:0 0 16px"><a href="${escaped(one.url)}" style="color:#3d4a41">${escaped(one.label)}</a></p>`),
    '</div></body></html>',
  ].join('\n')
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign).replaceAll('\n', '<br>')
}
