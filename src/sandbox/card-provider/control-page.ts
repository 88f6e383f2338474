import type { SandboxState } from './control.ts'
import { html, type Html } from '../pages/html.ts'
import { devWords, type DevLanguage } from '../pages/words.ts'

type Session = SandboxState['sessions'][number]

const CHOICES = {
  delivery: ['prompt', 'held', 'suppressed'],
  settlement: ['at-once', 'later'],
  outage: ['none', 'errors', 'silence'],
} as const
const NUMBERS = ['delayMilliseconds', 'copies'] as const

/** Shows the sandbox's state with buttons to change it. The field names are those of its JSON API. */
export function controlPage(state: SandboxState, language: DevLanguage): Html {
  const words = devWords[language]
  return html`<main>
    <p class="ribbon">${words.testPayments}</p>
    <h1>${words.control}</h1>
    <h2>${words.behaviour}</h2>
    <form method="post" action="/dev/stripe/control" class="behaviour">
      <input type="hidden" name="action" value="behave" />
      ${Object.entries(CHOICES).map(([name, options]) => choice(name, options, state))}
      ${NUMBERS.map((name) => html`<label>${name} <input name="${name}" inputmode="numeric" value="${state.behaviour[name]}" /></label>`)}
      <button>${words.apply}</button>
    </form>
    ${action(words.release, { action: 'release', order: 'made' })}
    ${action(words.releaseReversed, { action: 'release', order: 'reversed' })}
    <h2>${words.sessions}</h2>
    ${state.sessions.length === 0 && html`<p>${words.noSessions}</p>`} ${state.sessions.map((session) => sessionCard(session, language))}
  </main>`
}

function sessionCard(session: Session, language: DevLanguage): Html {
  const words = devWords[language]
  const sessionId = session.id
  return html`<section>
    <h3>${session.status} · ${session.paymentStatus}</h3>
    <p class="id">${sessionId}</p>
    ${session.status === 'open' && action(words.expire, { action: 'expire', sessionId })}
    ${
      session.status === 'complete' &&
      session.paymentStatus === 'unpaid' &&
      html`${action(words.settlePaid, { action: 'settle', sessionId, outcome: 'succeeded' })}
      ${action(words.settleFailed, { action: 'settle', sessionId, outcome: 'failed' })}`
    }
    ${session.paymentStatus === 'paid' && refundForm(session, language)}
    ${session.events.map(
      ({ eventId, type, state, attempts, lastStatus }) =>
        html`<p>${type}: ${state}, ${attempts}×${lastStatus !== null && ` (${lastStatus})`}</p>
          ${action(words.deliver, { action: 'deliver', eventId, times: '1' })}
          ${action(words.deliverTwice, { action: 'deliver', eventId, times: '2' })}`,
    )}
  </section>`
}

function refundForm({ id: sessionId, amountTotal, refunded, disputed }: Session, language: DevLanguage): Html {
  const words = devWords[language]
  const left = (amountTotal ?? 0) - refunded - disputed
  return html`${
    left > 0 &&
    html`<form method="post" action="/dev/stripe/control" class="action">
        <input type="hidden" name="action" value="refund" />
        <input type="hidden" name="sessionId" value="${sessionId}" />
        <label>${words.refundCents} <input name="amount" inputmode="numeric" value="${left}" /></label>
        <button>${words.refund}</button>
      </form>
      ${action(words.dispute, { action: 'dispute', sessionId, outcome: 'withdrawn' })}`
  }
  ${disputed > 0 && action(words.disputeWon, { action: 'dispute', sessionId, outcome: 'reinstated' })}`
}

function choice(name: string, options: readonly string[], { behaviour }: SandboxState): Html {
  const current = Object.entries(behaviour).find(([one]) => one === name)?.[1]
  return html`<label
    >${name}
    <select name="${name}">
      ${options.map((option) => html`<option ${option === current && html`selected`}>${option}</option>`)}
    </select></label
  >`
}

function action(label: string, fields: Record<string, string>): Html {
  return html`<form method="post" action="/dev/stripe/control" class="action">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button>${label}</button>
  </form>`
}
