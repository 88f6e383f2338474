import { readSettings } from '#server/env.ts'
import { readStoredKeys } from '#server/keys.ts'
import { localAddress } from '#server/local-address.ts'
import { EXIT, textOf } from '../exit.ts'
import type { Tool } from '../tool.ts'
import { checkFolder, checkPostgres } from './database.ts'
import { checkCalls } from './calls.ts'
import { checkFiles } from './files.ts'
import { error, ok, type Finding } from './finding.ts'
import { checkAddress, checkPort, METRICS } from './address.ts'
import { checkCards, type CardHost } from './cards.ts'
import { checkMail } from './mail.ts'
import { checkPictures } from './pictures.ts'
import { checkReplica } from './replica.ts'
import { checkSettings } from './settings.ts'

/** `touchline doctor`: reads the settings and asks everything they name; changes nothing. */
export async function examine({ environment, now }: Tool, cardHost?: CardHost): Promise<Finding[]> {
  const settings = readSettings(environment)
  const { set } = settings
  const found = checkSettings(settings)
  const wrong = new Set(found.filter(({ level }) => level === 'error').map(({ setting }) => setting))
  /** checks only if the settings it needs are right, since anything else would be reported twice */
  const unless = async (names: readonly string[], check: () => Promise<Finding[]>): Promise<Finding[]> =>
    names.some((name) => wrong.has(name)) ? [] : check().catch((problem: unknown) => [error(names[0] ?? '', textOf(problem))])
  const { DATABASE_URL: database, READ_DATABASE_URL: replica, SMTP_URL: smtp, PUBLIC_URL: url, METRICS_PORT: metrics } = set
  const isProduction = set.TOUCHLINE_MODE === 'production'
  const parts = [database, smtp, set.STRIPE_SECRET_KEY, set.S3_BUCKET]
  const needsFolder = !isProduction && (parts.includes(undefined) || set.TOKEN_SIGNING_KEYS === undefined)
  const asked = await Promise.all([
    checkClock(now()),
    unless(['DATA_DIR'], () => checkFolder(set.DATA_DIR, { isNeeded: needsFolder || !isProduction, isEmbedded: database === undefined })),
    isProduction ? [] : unless(['DATA_DIR'], () => readStoredKeys(set.DATA_DIR).then(() => [])),
    database === undefined ? [] : unless(['DATABASE_URL', 'DATABASE_POOLER'], () => checkPostgres(set, database, now)),
    database === undefined || replica === undefined
      ? []
      : unless(['READ_DATABASE_URL', 'DATABASE_URL', 'DATABASE_POOLER'], () => checkReplica(set, replica, database)),
    smtp === undefined ? [] : unless(['SMTP_URL'], () => checkMail(smtp, isProduction)),
    unless(['S3_BUCKET', 'S3_REGION', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], () => checkPictures(set)),
    unless(['STRIPE_SECRET_KEY', 'ASSESSMENT_PRICES', 'TOKEN_PRICE', 'TOKEN_PROMOTION'], () => checkCards(set, cardHost)),
    url === undefined ? [] : unless(['PUBLIC_URL'], () => checkWay(url)),
    url === undefined
      ? []
      : unless(['PUBLIC_URL', 'PORT', 'HOST'], () => checkFiles(url, localAddress({ host: set.HOST, port: set.PORT }))),
    unless(['PORT', 'HOST'], () => checkPort(set.PORT, set.HOST)),
    metrics === undefined ? [] : unless(['METRICS_PORT'], () => checkPort(metrics, set.METRICS_HOST, METRICS)),
  ])
  return [...found, ...asked.flat()]
}

/** The way from people to the server; what is sent on it is looked at only once it leads there. */
async function checkWay(url: string): Promise<Finding[]> {
  const found = await checkAddress(url)
  return found.every(({ level }) => level === 'ok') ? [...found, ...(await checkCalls(url))] : found
}

// this build is newer
const EARLIEST = Date.UTC(2026, 0)

async function checkClock(now: Date): Promise<Finding[]> {
  if (now.getTime() < EARLIEST)
    return [error('CLOCK', `This machine says it is ${now.toISOString()}: set its clock with a time service (NTP).`)]
  return [ok('NODE', `Node ${process.versions.node}.`)]
}

const SIGNS = { ok: '  ok     ', warning: '  warning', error: '  ERROR  ' } as const

/** Prints what was found; resolves to the exit code. */
export async function doctor(tool: Tool, { json, cardHost }: { json: boolean; cardHost?: CardHost }): Promise<number> {
  const findings = await examine(tool, cardHost)
  const errors = findings.filter(({ level }) => level === 'error').length
  const warnings = findings.filter(({ level }) => level === 'warning').length
  if (json) tool.print(JSON.stringify({ isHealthy: errors === 0, findings }))
  else {
    for (const { level, setting, message } of findings)
      tool.print(`${SIGNS[level]}  ${setting}: ${message.startsWith(`${setting} `) ? message.slice(setting.length + 1) : message}`)
    tool.print(errors === 0 ? `Nothing is wrong (${warnings} warnings).` : `${errors} errors, ${warnings} warnings.`)
  }
  return errors === 0 ? EXIT.done : EXIT.failed
}
