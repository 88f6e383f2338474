import { testMode, unsetLinks } from '#server/env-problems.ts'
import type { readSettings } from '#server/env.ts'
import type { Variables } from '#server/env-variables.ts'
import { isThisMachine } from '#server/local-address.ts'
import { error, ok, warning, type Finding } from './finding.ts'

/** What can be checked in the settings without calling a service. */
export function checkSettings({ set, problems, misspelt }: ReturnType<typeof readSettings>): Finding[] {
  const found = [
    ...problems.map((message) => error(/^\w+/.exec(message)?.[0] ?? 'SETTINGS', message)),
    ...misspelt.flatMap(({ name, like }) =>
      like === undefined ? [warning(name, `${name} is not a setting of Touchline: remove it.`)] : [],
    ),
    ...(set.TOUCHLINE_MODE === 'production' ? checkProduction(set) : []),
    ...checkWatching(set),
  ]
  if (found.every(({ level }) => level !== 'error'))
    found.unshift(ok('TOUCHLINE_MODE', `${set.TOUCHLINE_MODE ?? 'demo'}, with complete settings.`))
  return found
}

/** What supervisors wait for (docs/deploy/), less the 15 s in which running calls end. */
const GRACE_SECONDS = 5

function checkWatching({ METRICS_PORT: port, METRICS_HOST: host, DRAIN_SECONDS: drain = 0 }: Variables): Finding[] {
  const found: Finding[] = []
  if (port !== undefined && !isThisMachine(host))
    found.push(
      warning(
        'METRICS_HOST',
        `Anyone who reaches ${host}:${port} can read the metrics, without a password: let only a private network reach it, and publish no such port.`,
      ),
    )
  if (drain > GRACE_SECONDS)
    found.push(
      warning(
        'DRAIN_SECONDS',
        `After a stop the server needs up to ${drain + 15} s: let its supervisor wait for ${drain + 20} before it kills.`,
      ),
    )
  return found
}

// the provider's are whsec_ and 32 characters
const WEBHOOK_SECRET = /^whsec_[\w+/=-]{24,}$/

function checkProduction(set: Variables): Finding[] {
  const { PUBLIC_URL: url, TRUST_PROXY: proxies, STRIPE_WEBHOOK_SECRET: webhook, HOST: host } = set
  const found = unsetLinks(set).map(({ setting, message }) => warning(setting, `${message}. Set it, because the pages show the link.`))
  if (testMode(set).length > 0)
    found.push(
      warning(
        'STRIPE_SECRET_KEY',
        'It is a key of the test mode: no money moves. Before going live, use the live keys, prices, coupon and webhook.',
      ),
    )
  if (webhook.some((secret) => secret.startsWith('whsec_') && !WEBHOOK_SECRET.test(secret)))
    found.push(
      error(
        'STRIPE_WEBHOOK_SECRET',
        `${webhook.length > 1 ? 'One of its secrets' : 'It'} is too short to be the whole secret: copy it again, or paid orders are not fulfilled until the buyer comes back.`,
      ),
    )
  else if (new Set(webhook).size === webhook.length && webhook.length > 1)
    found.push(
      warning(
        'STRIPE_WEBHOOK_SECRET',
        `It has ${webhook.length} secrets, and an event signed with any of them is believed. Remove the older ones once the provider no longer signs with them and the log names none (secretPlace).`,
      ),
    )
  if (set.MAIL_BOUNCE_KEY.length === 0)
    found.push(
      warning(
        'MAIL_BOUNCE_KEY',
        'Without it nobody can report mail that comes back, and coaches are not told that an address does not exist. Set it to a secret of its own, and have the mail server or provider report to POST api/mail/bounce (docs/operations.md).',
      ),
    )
  if (url !== undefined && isThisMachine(new URL(url).hostname))
    found.push(error('PUBLIC_URL', `${url} leads every visitor to their own machine: set it to the address that people use.`))
  if (proxies.includes('none') && url?.startsWith('https:'))
    found.push(
      warning(
        'TRUST_PROXY',
        'It is none, but this server speaks no TLS, so something in front of it does. Without that proxy’s address here, everybody seems to come from one address and shares its limits.',
      ),
    )
  if (isThisMachine(host) && proxies.some((one) => one !== 'none') && !proxies.some((one) => /^(127\.|::1|loopback)/.test(one)))
    found.push(
      warning(
        'HOST',
        `The server listens on ${host} alone, but TRUST_PROXY names no proxy on this machine. Add 127.0.0.1 there, or listen on 0.0.0.0.`,
      ),
    )
  return found
}
