/** The yardstick of saving: node:http and `pg`, the product's own statements as recorded, and nothing around them. */
import { createServer } from 'node:http'
import pg from 'pg'

/** Where a value of a recorded statement comes from when it is run again. */
export type Role = 'instance' | 'user' | 'session' | 'operation' | 'revision' | 'now' | 'constant'
export interface BareStatement {
  text: string
  values: { role: Role; value: unknown }[]
}

export interface BareOptions {
  databaseUrl: string
  connections: number
  statements: BareStatement[]
  /** whose instance it is; the product reads it from the bearer */
  owners: Record<string, { user: string; session: string }>
  reply: unknown
}

interface Body {
  instanceId: string
  operation: { id: string }
}

function serve({ databaseUrl, connections, statements, owners, reply }: BareOptions): void {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections })

  async function save({ instanceId, operation }: Body): Promise<void> {
    const owner = owners[instanceId]
    if (!owner) throw new Error('unknown instance')
    const known: Record<Exclude<Role, 'constant'>, unknown> = {
      instance: instanceId,
      ...owner,
      operation: operation.id,
      revision: 0,
      now: new Date().toISOString(),
    }
    const client = await pool.connect()
    try {
      for (const { text, values } of statements) {
        const { rows, rowCount } = await client.query<Record<string, unknown>>(
          text,
          values.map(({ role, value }) => (role === 'constant' ? value : known[role])),
        )
        // a guard that was not met would make the yardstick faster than it is
        if (rowCount === 0) throw new Error(`a statement found nothing to do: ${text}`)
        if (typeof rows[0]?.['revision'] === 'number') known.revision = rows[0]['revision']
      }
    } finally {
      client.release()
    }
  }

  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      save(JSON.parse(text) as Body).then(
        () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
}

process.once('message', (options: BareOptions) => serve(options))
process.on('disconnect', () => process.exit(0))
