import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Public lookups, needed before sign-in and offline. PROFILE-30 to PROFILE-32, API-37 */

const named = z.object({ id: z.string(), name: z.string() })

export const reference = {
  /** All sports. */
  sports: endpoint({
    method: 'GET',
    path: '/reference-data/sport',
    access: 'anyone',
    reply: z.object({ data: z.array(named) }),
    errors: [],
    tag: 'Reference',
    summary: 'Sports',
  }),
  /** The positions of a sport. 404 for an unknown sport. */
  positions: endpoint({
    method: 'GET',
    path: '/reference-data/sport/{sportId}/position',
    access: 'anyone',
    params: z.strictObject({ sportId: z.string() }),
    reply: z.object({ positions: z.array(named) }),
    errors: [],
    tag: 'Reference',
    summary: 'Positions of a sport',
  }),
  /** The choices for a team. */
  teamOptions: endpoint({
    method: 'GET',
    path: '/reference-data/team-option',
    access: 'anyone',
    /** lists of labels; the portal derives the stored values from them (PROFILE-32) */
    reply: z.object({ clubType: z.array(z.string()), teamGender: z.array(z.string()), ageGroup: z.array(z.string()) }),
    errors: [],
    tag: 'Reference',
    summary: 'Options for a team',
  }),
  /** All countries. `cityFile` is the file of the country's `cityList`. */
  countries: endpoint({
    method: 'GET',
    path: '/reference-data/country',
    access: 'anyone',
    reply: z.object({ countries: z.array(z.object({ countryName: z.string(), cityFile: z.string() })) }),
    errors: [],
    tag: 'Reference',
    summary: 'Countries, each with the file of its cities on the media host',
  }),
}

/** The content of a city file on the media host: GET /media/cities/{cityFile} (API-38). */
export const cityList = z.object({ cities: z.array(z.string()) })
