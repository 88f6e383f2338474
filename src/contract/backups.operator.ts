import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Calls about backups that only the operator may make (ROLES-4). Of the portal only the operator's page loads them. */
export const backupsForOperator = {
  /**
   * Copies the embedded database into a file on the server's machine, which only its process can do while it runs. 409
   * DATABASE_ELSEWHERE if the data is in a PostgreSQL, which pg_dump copies; 507 DISK_FULL if the disk has no room for the copy.
   */
  create: endpoint({
    method: 'POST',
    path: 'backup',
    access: ['operator'],
    reply: z.object({
      /** absolute path of a gzipped tar; whoever asked removes it */
      file: z.string(),
      unpackedBytes: z.int(),
      migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
    }),
    status: 201,
    errors: ['DATABASE_ELSEWHERE', 'DISK_FULL'],
    summary: 'Back up the embedded database',
  }),
}
