import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { paging } from './paging.ts'

/** Sports, in the shape of DATA-6. */
const sport = z.object({ id: z.string(), name: z.string() })

export const sports = {
  /** One page of the sports. */
  list: endpoint({
    method: 'GET',
    path: 'sports',
    access: 'anyone',
    query: z.strictObject(paging),
    reply: z.object({ data: z.array(sport) }),
    errors: [],
    tag: 'Sport',
    summary: 'Sports',
  }),
  /** One sport. 404 for an unknown id. */
  get: endpoint({
    method: 'GET',
    path: 'sports/{id}',
    access: 'anyone',
    params: z.strictObject({ id: z.string() }),
    reply: sport,
    errors: [],
    tag: 'Sport',
    summary: 'One sport',
  }),
}
