import { MailError, type Mail } from '../outside/mail.ts'
import type { MailOutcome, Metrics } from './metrics.ts'

/** The mail service, which also counts what it sends. */
export function countMails(mail: Mail, { mailed }: Metrics): Mail {
  return {
    ...mail,
    send: async (message) => {
      const begun = performance.now()
      const note = (outcome: MailOutcome) => mailed(outcome, (performance.now() - begun) / 1000)
      try {
        await mail.send(message)
      } catch (error) {
        note(error instanceof MailError && error.isRefused ? 'refused' : 'failed')
        throw error
      }
      note('accepted')
    },
  }
}
