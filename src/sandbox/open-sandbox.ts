import { join } from 'node:path'
import type { Env } from '#server/env.ts'
import { pagePolicy } from '#server/http/headers.ts'
import type { CardPaymentsSettings } from '#server/outside/card-payments.ts'
import type { OpenSandbox, Sandbox } from '#server/services.ts'
import { startCardSandbox, type CardSandbox } from './card-provider/card-sandbox.ts'
import { catalogOf } from './card-provider/catalog.ts'
import { DEMO_ACCOUNTS, seedDemo } from './demo-accounts/accounts.ts'
import { startMailbox, type Mailbox } from './mailbox/mailbox.ts'
import { folderMedia } from './media-folder.ts'
import { registerApiDocs } from './pages/api-docs.ts'
import { registerDevPages } from './pages/dev-pages.ts'
import { GALLERY_FOLDER } from './pages/gallery.ts'
import { isOfThisMachine, type DevAccess } from './pages/guard.ts'

/** The sandbox, with the parts that tests inspect. */
export interface OpenedSandbox extends Sandbox {
  /** null if the settings name a mail server */
  readonly mailbox: Mailbox | null
  /** null if the settings name a card provider */
  readonly cardSandbox: CardSandbox | null
}

/** Starts the stand-ins for the services that a demo's settings leave out. Called by `src/server/services.ts`. */
export const openSandbox = (async ({ env, keys, clock, db, folder, hasDemoAccounts, webhookUrl, mailsSettled }): Promise<OpenedSandbox> => {
  if (hasDemoAccounts) await seedDemo(db, env, clock.now())
  const mailbox = env.smtpUrl === undefined ? await startMailbox({ dataDir: folder, clock }) : null
  const cardSandbox =
    env.stripeSecretKey === undefined
      ? await startCardSandbox({ dataDir: folder, clock, catalog: () => catalogOf(db, env), webhookUrl })
      : null
  const access: DevAccess = { host: env.host, publicUrl: env.publicUrl, trustProxy: env.trustProxy, secret: keys.devSecret }
  return {
    mailbox,
    cardSandbox,
    smtpUrl: mailbox?.smtpUrl ?? null,
    cards: cardSandbox && cardSettingsOf(cardSandbox),
    media: env.s3 ? null : folderMedia(join(folder, 'media')),
    registerPages: async (app, document) => {
      await registerApiDocs(app, document)
      const gallery = { folder: GALLERY_FOLDER, policy: pagePolicy(env, { scripts: [], styles: [] }) }
      await registerDevPages(app, { access, sandbox: cardSandbox, mailbox, gallery, mailsSettled })
    },
    announcement: announcementOf(env, access),
    close: async () => {
      await cardSandbox?.close()
      await mailbox?.close()
    },
  }
}) satisfies OpenSandbox

function cardSettingsOf({ keys, host, port }: CardSandbox): CardPaymentsSettings {
  const { secretKey, publishableKey, webhookSecret } = keys
  return { secretKey, publishableKey, webhookSecrets: [webhookSecret], sandbox: { host, port, script: '/dev/stripe.js' } }
}

function announcementOf(env: Env, access: DevAccess): string[] {
  const hasMailbox = env.smtpUrl === undefined
  const isLocal = isOfThisMachine(access)
  const secret = isLocal ? '' : `?secret=${access.secret}`
  return [
    'Demo mode: what is not configured is a stand-in. Production: TOUCHLINE_MODE=production',
    `  portal       ${env.publicUrl}`,
    hasMailbox ? `  mail, codes  ${env.publicUrl}/dev/mail${secret}` : '  mail         real, by SMTP_URL',
    `  card sandbox ${env.publicUrl}/dev/stripe/control${secret}`,
    `  API          ${env.publicUrl}/api/docs`,
    `  gallery      ${env.publicUrl}/dev/gallery${secret}`,
    ...(isLocal ? ['  for this machine alone: before others reach it, by a proxy too, set PUBLIC_URL, or they can read its mail'] : []),
    `  accounts, each by a code from ${hasMailbox ? 'the mailbox' : 'its mail'}:`,
    ...Object.entries(DEMO_ACCOUNTS).map(([email, what]) => `    ${email.padEnd(24)} ${what}`),
  ]
}
