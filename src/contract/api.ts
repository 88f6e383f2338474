import { assessmentsForOperator } from './assessments.operator.ts'
import { assessments } from './assessments.ts'
import { auth } from './auth.ts'
import type { Endpoint } from './endpoint.ts'
import { backupsForOperator } from './backups.operator.ts'
import { files } from './files.ts'
import { health } from './health.ts'
import { instancesForCoach } from './instances.coach.ts'
import { instancesForOperator } from './instances.operator.ts'
import { instances } from './instances.ts'
import { jobsForOperator } from './jobs.operator.ts'
import { mailsForOperator } from './mails.operator.ts'
import { hitsForOperator } from './hits.operator.ts'
import { mails } from './mails.ts'
import { marks } from './marks.ts'
import { paymentsForOperator } from './payments.operator.ts'
import { payments } from './payments.ts'
import { pictures } from './pictures.ts'
import { reference } from './reference.ts'
import { settings } from './settings.ts'
import { sports } from './sports.ts'
import { tokens } from './tokens.ts'
import { usersForCoach } from './users.coach.ts'
import { usersForOperator } from './users.operator.ts'
import { users } from './users.ts'

/** All calls of the API: `api.<subject>.<endpoint>`. */
export const api = {
  auth,
  users: { ...users, ...usersForCoach, ...usersForOperator },
  pictures,
  assessments: { ...assessments, ...assessmentsForOperator },
  instances: { ...instances, ...instancesForCoach, ...instancesForOperator },
  files,
  marks,
  tokens,
  mails: { ...mails, ...mailsForOperator },
  jobs: jobsForOperator,
  hits: hitsForOperator,
  reference,
  sports,
  settings,
  payments: { ...payments, ...paymentsForOperator },
  backups: backupsForOperator,
  health,
} as const

export type Api = typeof api

/** [name, endpoint] of every call, for the router, the OpenAPI document and the tests that enumerate them. */
export function everyEndpoint(): (readonly [string, Endpoint])[] {
  return Object.entries(api).flatMap(([subject, endpoints]) =>
    Object.entries(endpoints).map(([name, one]) => [`${subject}.${name}`, one as Endpoint] as const),
  )
}
