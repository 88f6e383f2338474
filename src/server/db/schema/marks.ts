import { check, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { MARKS, type Mark } from '#contract/rules/paragraph-marks.ts'
import { FOLLOWS, instant, oneOf } from './columns.ts'
import { instances } from './instances.ts'

/** Players' marks on the paragraphs of their results (RESULTS-19). */
export const paragraphMarks = pgTable(
  'paragraph_marks',
  {
    instanceId: uuid('instance_id')
      .notNull()
      .references(() => instances.id, FOLLOWS),
    paragraph: text('paragraph').notNull(),
    /** null: taken away. The row stays, so that an older mark from another device does not come back. */
    mark: text('mark').$type<Mark>(),
    /** when the player tapped */
    at: instant('at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'paragraph_marks_pk', columns: [table.instanceId, table.paragraph] }),
    check('paragraph_marks_mark', oneOf('mark', MARKS)),
  ],
)
