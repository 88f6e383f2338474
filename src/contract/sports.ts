import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { paging } from './paging.ts'

/** Sports: a data array whose items have an id. DATA-6 */
export const sport = z.object({ id: z.string(), name: z.string() })

export const sports = {
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
