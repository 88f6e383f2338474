import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { api } from '#contract/api.ts'
import { checkout } from './assessments/checkout.ts'
import { completeCheckout } from './assessments/complete-checkout.ts'
import { create as createAssessment } from './assessments/create.ts'
import { get as getAssessment } from './assessments/get.ts'
import { list as listAssessments } from './assessments/list.ts'
import { resultText } from './assessments/result-text.ts'
import { noteOperatorCalls } from './audit/operator-calls.ts'
import { noteRoleRefusals } from './audit/role-refusals.ts'
import { accountState } from './auth/account-state.ts'
import { identifyBy } from './auth/caller.ts'
import { endOtherSessions } from './auth/end-other-sessions.ts'
import { endSession } from './auth/end-session.ts'
import { initiate } from './auth/initiate.ts'
import { logout } from './auth/logout.ts'
import { refresh } from './auth/refresh.ts'
import { sendOtp } from './auth/send-otp.ts'
import { sessions } from './auth/sessions.ts'
import { verifyOtp } from './auth/verify-otp.ts'
import { create as createBackup } from './backups/create.ts'
import type { Deps } from './deps.ts'
import type { Env } from './env.ts'
import { bring } from './files/bring.ts'
import { get as getHealth } from './health/get.ts'
import { registerProbes } from './health/probes.ts'
import type { Readiness } from './health/readiness.ts'
import { observeReplies, type OnReply } from './http/observe-replies.ts'
import type { Handlers } from './http/handler.ts'
import { endConnectionsOnClose } from './http/end-connections.ts'
import { fixedHeaders, headersOf, pagePolicy, registerHeaders } from './http/headers.ts'
import { logOptions, reasonOf, type LogTo } from './http/log.ts'
import { openApiDocument } from './http/openapi.ts'
import { refusalOf, sendRefusal } from './http/refusal.ts'
import type { CallSlots } from './http/call-slots.ts'
import { registerCalls } from './http/router.ts'
import { limitPipelines } from './http/pipelines.ts'
import { limitConnections, serverOptionsOf, type SocketLimits } from './http/socket-limits.ts'
import { inlineHashesOf, registerFiles } from './http/static.ts'
import { refuseMalformed } from './http/malformed-request.ts'
import { registerCompression } from './http/compression.ts'
import { warnOfUnnamedProxy } from './http/unnamed-proxy.ts'
import { allocate } from './instances/allocate.ts'
import { allocated } from './instances/allocated.ts'
import { briefOpened } from './instances/brief-opened.ts'
import { calculateResults } from './instances/calculate-results.ts'
import { coachReport } from './instances/coach-report.ts'
import { complete } from './instances/complete.ts'
import { create as createInstance } from './instances/create.ts'
import { get as getInstance } from './instances/get.ts'
import { list as listInstances } from './instances/list.ts'
import { correctAddress } from './instances/correct-address.ts'
import { reclaim } from './instances/reclaim.ts'
import { report } from './instances/report.ts'
import { resend } from './instances/resend.ts'
import { saveResponses } from './instances/save-responses.ts'
import { resendTo } from './instances/resend-to.ts'
import { update as updateInstance } from './instances/update.ts'
import { list as listHits } from './hits/list.ts'
import { list as listJobs } from './jobs/list.ts'
import { repeat as repeatJobs } from './jobs/repeat.ts'
import { allow as allowMails } from './mails/allow.ts'
import { bounced } from './mails/bounced.ts'
import { bounces } from './mails/bounces.ts'
import { registerUnsubscribeRedirect } from './mails/unsubscribe-redirect.ts'
import { stop as stopMails } from './mails/stop.ts'
import { list as listMarks } from './marks/list.ts'
import { save as saveMarks } from './marks/save.ts'
import { toCheck } from './payments/to-check.ts'
import { webhook } from './payments/webhook.ts'
import { avatar } from './pictures/avatar.ts'
import { finalize } from './pictures/finalize.ts'
import { registerMedia } from './pictures/media-routes.ts'
import { uploadUrl } from './pictures/upload-url.ts'
import { countries } from './reference/countries.ts'
import { positions } from './reference/positions.ts'
import { sports as referenceSports } from './reference/sports.ts'
import { teamOptions } from './reference/team-options.ts'
import type { Sandbox } from './services.ts'
import { get as getSettings } from './settings/get.ts'
import { get as getSport } from './sports/get.ts'
import { list as listSports } from './sports/list.ts'
import { checkout as checkoutTokens } from './tokens/checkout.ts'
import { completeCheckout as completeTokenCheckout } from './tokens/complete-checkout.ts'
import { list as listTokens } from './tokens/list.ts'
import { pricing as tokenPricing } from './tokens/pricing.ts'
import { block } from './users/block.ts'
import { create as createUser } from './users/create.ts'
import { deactivate } from './users/deactivate.ts'
import { deactivateCode } from './users/deactivate-code.ts'
import { erase } from './users/erase.ts'
import { exportPerson } from './users/export-person.ts'
import { get as getUser } from './users/get.ts'
import { list as listUsers } from './users/list.ts'
import { searchByEmail } from './users/search-by-email.ts'
import { unblock } from './users/unblock.ts'
import { update as updateUser } from './users/update.ts'

/** The handler of each call in the contract. If one is missing, this does not compile. */
export const handlers = {
  auth: {
    initiate,
    sendOtp,
    verifyOtp,
    refresh,
    automaticRefresh: refresh,
    logout,
    accountState,
    sessions,
    endSession,
    endOtherSessions,
  },
  users: {
    get: getUser,
    withAssessments: getUser,
    update: updateUser,
    deactivateCode,
    deactivate,
    searchByEmail,
    list: listUsers,
    create: createUser,
    exportPerson,
    erase,
    block,
    unblock,
  },
  pictures: { uploadUrl, finalize, avatar },
  assessments: { list: listAssessments, get: getAssessment, checkout, completeCheckout, resultText, create: createAssessment },
  instances: {
    list: listInstances,
    get: getInstance,
    saveResponses,
    briefOpened,
    complete,
    calculateResults,
    report,
    update: updateInstance,
    replace: updateInstance,
    create: createInstance,
    allocated,
    coachReport,
    allocate,
    resend,
    resendTo,
    reclaim,
    correctAddress,
  },
  files: { bring },
  marks: { list: listMarks, save: saveMarks },
  mails: { stop: stopMails, allow: allowMails, bounced, bounces },
  tokens: { list: listTokens, pricing: tokenPricing, checkout: checkoutTokens, completeCheckout: completeTokenCheckout },
  jobs: { list: listJobs, repeat: repeatJobs },
  hits: { list: listHits },
  reference: { sports: referenceSports, positions, teamOptions, countries },
  sports: { list: listSports, get: getSport },
  settings: { get: getSettings },
  payments: { webhook, toCheck },
  backups: { create: createBackup },
  health: { get: getHealth },
} satisfies Handlers<typeof api>

interface AppOptions {
  env: Env
  callSlots: CallSlots
  socketLimits: SocketLimits
  /** told of a connection beyond the maximum */
  onDrop: () => void
  readiness: () => Promise<Readiness>
  /** whether it has been told to stop, and still takes calls */
  isDraining: () => boolean
  onReply: OnReply
  /** null in production */
  registerDemoPages: Sandbox['registerPages'] | null
  /** folder of the built portal, by default `dist` */
  files?: string
  logTo?: LogTo
}

/** Builds the HTTP server on the `deps` it is given. */
export async function buildApp(
  options: AppOptions,
  depsOf: (log: FastifyBaseLogger) => Deps,
): Promise<{ app: FastifyInstance; deps: Deps }> {
  const { env, callSlots, readiness, isDraining, onReply, registerDemoPages, files } = options
  const fixed = fixedHeaders(env)
  const setHeaders = headersOf(env, fixed)
  const app = Fastify({
    logger: logOptions(env, options.logTo),
    genReqId: () => randomUUID(),
    ...serverOptionsOf(options.socketLimits),
    forceCloseConnections: 'idle',
    // a call that came before the end is answered
    return503OnClosing: false,
    trustProxy: env.trustProxy.length > 0 ? env.trustProxy : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    frameworkErrors: (error, request, reply) => {
      // runs before any hook, so the headers are set here
      setHeaders(request, reply)
      const refused = refusalOf(error)
      deps.metrics.refused(refused.code)
      request.log.info({ code: refused.code }, 'unreadable address')
      void sendRefusal(request, reply, refused)
    },
    clientErrorHandler: (error, socket) =>
      refuseMalformed(error, socket, fixed, (reqId, code) => {
        deps.metrics.refused(code)
        app.log.info({ reqId, code }, 'unreadable request')
      }),
  })
  const deps = depsOf(app.log)

  // A body is read only by a route that takes one, which limits how many may arrive at once.
  app.removeAllContentTypeParsers()
  registerHeaders(app, setHeaders)
  warnOfUnnamedProxy(app, env.trustProxy.length > 0)
  // an unknown Expect header; Node would refuse it without any security header
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  await registerCompression(app)
  limitConnections(app.server, options.socketLimits, options.onDrop)
  limitPipelines(app.server, options.onDrop)
  endConnectionsOnClose(app, isDraining)
  observeReplies(app, onReply)
  app.setErrorHandler((error, request, reply) => {
    const refused = refusalOf(error)
    deps.metrics.refused(refused.code)
    if (refused.code === 'INTERNAL') request.log.error({ err: error }, 'internal error')
    if (refused.code === 'UNAVAILABLE' || refused.code === 'DISK_FULL') request.log.warn({ why: reasonOf(refused) }, 'unavailable')
    return sendRefusal(request, reply, refused)
  })

  const audited = { onRoleRefused: noteRoleRefusals(deps), onCall: noteOperatorCalls(deps) }
  await registerCalls(app, handlers, { deps, identify: identifyBy(deps), ...audited, callSlots })
  const document = openApiDocument(env.publicUrl)
  const documentText = JSON.stringify(document)
  // neither written nor compressed anew for each request: it is a quarter of a megabyte
  app.get('/api/openapi.json', { compress: false }, async (_request, reply) => reply.type('application/json').send(documentText))
  await registerDemoPages?.(app, document)
  registerProbes(app, readiness)
  registerUnsubscribeRedirect(app)
  await registerMedia(app, deps)
  await registerFiles(app, pagePolicy(env, inlineHashesOf(files)), files)
  return { app, deps }
}
