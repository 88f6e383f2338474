import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { users } from './users.ts'

/** Uploads of pictures: each key allows one upload of one file (SECURITY-9). */
export const pictureUploads = pgTable(
  'picture_uploads',
  {
    /** the `tempKey` of the calls */
    key: text('key').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    contentType: text('content_type').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** when its file began to arrive, if it is uploaded to this server */
    receivedAt: instant('received_at'),
    /** when it was made a picture or refused */
    usedAt: instant('used_at'),
  },
  (table) => [index('picture_uploads_user').on(table.userId, table.createdAt), index('picture_uploads_created').on(table.createdAt)],
)

/** Profile pictures: one current picture per user, and the replaced (retired) ones until their files are deleted (PROFILE-41). */
export const pictures = pgTable(
  'pictures',
  {
    /** the `documentId` of the calls */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** a random name, which reveals nothing of the original one */
    file: text('file').notNull().unique('pictures_file_unique'),
    /** the original file name; a label, never a path */
    name: text('name').notNull(),
    documentFormat: text('document_format').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    createdAt: instant('created_at').notNull(),
    retiredAt: instant('retired_at'),
  },
  (table) => [
    uniqueIndex('pictures_one_per_user').on(table.userId).where(sql.raw('retired_at is null')),
    index('pictures_retired').on(table.retiredAt),
    check('pictures_size', sql.raw('size_bytes > 0')),
  ],
)
