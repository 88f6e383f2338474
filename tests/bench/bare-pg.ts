/** The floor of saving: only node:http and `pg`, with one named upsert of the whole batch as jsonb. */
import { createServer } from 'node:http'
import pg from 'pg'

export interface BarePgOptions {
  databaseUrl: string
  connections: number
}

/** The part of the product's request body that it reads. */
interface Body {
  instanceId: string
  responses: { id: string; answer: string | null }[]
}

const UPSERT = `insert into bare_answers (instance_id, question_id, value)
  select $1::uuid, id, answer from jsonb_to_recordset($2::jsonb) as sent(id text, answer jsonb)
  on conflict (instance_id, question_id) do update set value = excluded.value`

async function serve({ databaseUrl, connections }: BarePgOptions): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections })
  await pool.query('create table bare_answers (instance_id uuid, question_id text, value jsonb, primary key (instance_id, question_id))')
  const save = ({ instanceId, responses }: Body) =>
    pool.query({ name: 'save', text: UPSERT, values: [instanceId, JSON.stringify(responses)] })
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      save(JSON.parse(text) as Body).then(
        ({ rowCount }) => {
          const reply = JSON.stringify({ saved: rowCount })
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length }).end(reply)
        },
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
}

process.once('message', (options: BarePgOptions) => void serve(options))
process.on('disconnect', () => process.exit(0))
