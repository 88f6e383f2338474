import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { html, sendDevPage, type Html } from '../pages/html.ts'
import { devLanguage, devWords, type DevLanguage } from '../pages/words.ts'
import type { Mailbox, ReceivedMail } from './mailbox.ts'

/** /dev/mail for people, /dev/mail.json?to=ADDRESS for scripts. OPERATE-4 */
export function registerMailboxPages(scope: FastifyInstance, mailbox: Mailbox, mailsSettled: () => Promise<unknown>): void {
  // a call may reply before its mail has arrived, but the page must show it
  const allArrived = async () => Promise.race([mailsSettled(), setTimeout(ARRIVAL_TIMEOUT_MS, undefined, { ref: false })])
  scope.get('/dev/mail.json', async (request) => {
    await allArrived()
    return mailbox.list(queryOf(request.url).get('to') ?? undefined)
  })
  scope.get('/dev/mail', async (request, reply) => {
    await allArrived()
    const query = queryOf(request.url)
    const language = devLanguage(query.get('lang'), request.headers['accept-language'])
    const to = query.get('to') ?? ''
    return sendDevPage(reply, {
      language,
      title: devWords[language].mailbox,
      body: mailboxPage(mailbox.list(to === '' ? undefined : to), to, language),
    })
  })
}

const MAILS_PER_PAGE = 100
const ARRIVAL_TIMEOUT_MS = 3000

function mailboxPage(mails: readonly ReceivedMail[], to: string, language: DevLanguage): Html {
  const words = devWords[language]
  return html`<main>
    <h1>${words.mailbox}</h1>
    <p class="note">${words.newest}</p>
    <form method="get" action="/dev/mail" class="filter">
      <label for="to">${words.mailboxFilter}</label>
      <input id="to" name="to" type="email" autocomplete="off" value="${to}" />
      <button>${words.show}</button>
      <a href="/dev/mail">${words.showAll}</a>
    </form>
    ${mails.length === 0 && html`<p>${words.mailboxEmpty}</p>`}
    ${mails.slice(0, MAILS_PER_PAGE).map(
      (mail) =>
        html`<article>
          <h2>${mail.subject}</h2>
          <p class="note">${words.to} ${mail.to} · <time datetime="${mail.at}">${mail.at.replace('T', ' ').slice(0, 19)} UTC</time></p>
          <div class="text">${marked(mail.text)}</div>
        </article>`,
    )}
  </main>`
}

const CODE_OR_LINK = /(?<!\d)(\d{8})(?!\d)|(https?:\/\/[^\s<>"']+)/g

/** Marks codes and makes links clickable; everything else is text. */
function marked(text: string): Html[] {
  const parts: Html[] = []
  let from = 0
  for (const match of text.matchAll(CODE_OR_LINK)) {
    const [all, code, link] = match
    parts.push(html`${text.slice(from, match.index)}`)
    parts.push(code === undefined ? html`<a href="${link}" rel="noreferrer">${link}</a>` : html`<strong class="code">${code}</strong>`)
    from = match.index + all.length
  }
  return [...parts, html`${text.slice(from)}`]
}

function queryOf(url: string): URLSearchParams {
  return new URL(url, 'http://dev').searchParams
}
