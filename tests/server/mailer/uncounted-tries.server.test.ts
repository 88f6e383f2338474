import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { beginTry, undoTry } from '#server/mailer/outcomes-store.ts'
import { dropIfOver } from '#server/mailer/taken-back-store.ts'
import { given } from './allocations.ts'

/** A try that may have reached somebody counts towards the week's limit, and no mail is resumed after it. MAIL-7 */

test('a mail that was dropped at its second try keeps its first, though the reply to that transaction was lost', async () => {
  const { server, smtp, clock, give, takeBack } = await given()
  const { db } = server.deps
  const first = await give()
  // it may have arrived
  smtp.cutReplies()
  await takeBack(first)
  const [mail] = await db.select().from(mails).where(eq(mails.kind, 'taken-back'))
  expect(mail?.tries).toBe(1)
  smtp.replyWith(250)
  await give()
  const again = await beginTry(db, mail?.id ?? '')
  if (again?.kind !== 'taken-back') throw new Error('it is no longer open')
  expect(await dropIfOver(db, again, clock.now())).toBe(true)
  // what a sender does whose reply was lost
  await undoTry(db, again, clock.now())
  expect((await db.select().from(mails).where(eq(mails.id, again.id)))[0]?.tries).toBe(1)
})
