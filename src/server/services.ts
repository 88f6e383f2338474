import type { FastifyInstance } from 'fastify'
import type { Database } from './db/database.ts'
import type { Env } from './env.ts'
import type { Keys } from './keys.ts'
import { cardPayments, type CardPayments, type CardPaymentsSettings } from './outside/card-payments.ts'
import type { Clock } from './outside/clock.ts'
import { smtpMail, type Mail } from './outside/mail.ts'
import type { Media } from './outside/media.ts'

/** The outside services the product uses: those the settings name, or in a demo the sandbox's. */
interface Services {
  mail: Mail
  cards: CardPayments
  media: Media
}

/** What only a demo has. `src/sandbox` implements it; the server must not import that (decisions/0040). */
export interface Sandbox {
  /** where mail goes; null if the settings name a mail server */
  readonly smtpUrl: string | null
  /** null if the settings name a card provider */
  readonly cards: CardPaymentsSettings | null
  /** null if the settings name an object store */
  readonly media: Media | null
  /** Everything below /dev/, and /api/docs, which shows the OpenAPI document. */
  registerPages: (app: FastifyInstance, document: object) => Promise<void>
  /** printed once the server listens */
  readonly announcement: readonly string[]
  close: () => Promise<void>
}

export interface SandboxSettings {
  env: Env
  keys: Keys
  clock: Clock
  db: Database
  /** where it stores its data */
  folder: string
  hasDemoAccounts: boolean
  /** asked at each event: the port may be known only once the server listens */
  webhookUrl: () => string
  /** resolves once every mail that was handed over has been sent or refused */
  mailsSettled: () => Promise<void>
}

export type OpenSandbox = (settings: SandboxSettings) => Promise<Sandbox>

// typed as a string, or the compiler would follow it and make the sandbox a part of the server
const SANDBOX: string = '#sandbox/open-sandbox.ts'

/** Loaded in demo mode only. */
export async function openSandbox(settings: SandboxSettings): Promise<Sandbox> {
  const sandbox = (await import(SANDBOX)) as { openSandbox: OpenSandbox }
  return sandbox.openSandbox(settings)
}

/** Opens each service as the settings say; the sandbox has what they leave out. */
export async function openServices(env: Env, sandbox: Sandbox | null): Promise<Services> {
  const smtpUrl = env.smtpUrl ?? sandbox?.smtpUrl ?? missing('SMTP_URL')
  const cards = cardSettingsOf(env) ?? sandbox?.cards ?? missing('STRIPE_SECRET_KEY')
  const media = (await objectStoreOf(env)) ?? sandbox?.media ?? missing('S3_BUCKET')
  return { mail: smtpMail({ url: smtpUrl, from: env.mailFrom, bounceAddress: env.mailBounceAddress }), cards: cardPayments(cards), media }
}

async function objectStoreOf({ s3 }: Env): Promise<Media | undefined> {
  if (!s3) return undefined
  // the client is large, and a demo seldom needs it
  const { s3Media } = await import('./outside/media-s3.ts')
  return s3Media(s3)
}

function cardSettingsOf(env: Env): CardPaymentsSettings | undefined {
  const { stripeSecretKey: secretKey, stripePublishableKey: publishableKey, stripeWebhookSecrets: webhookSecrets } = env
  if (secretKey === undefined) return undefined
  return {
    secretKey,
    publishableKey: publishableKey ?? missing('STRIPE_PUBLISHABLE_KEY'),
    webhookSecrets: webhookSecrets.length > 0 ? webhookSecrets : missing('STRIPE_WEBHOOK_SECRET'),
  }
}

/** A bug: `readEnv` has checked that the settings are complete. */
function missing(name: string): never {
  throw new Error(`${name} is missing`)
}
