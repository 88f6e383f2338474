import { mediaUrl } from '#app/api/base-url.ts'
import { cityList } from '#contract/reference.ts'

/** City lists of the media host. §3 Lookups, §7; failures §8 Cities */

/** In the specification's words; `key` and `status` let the screen say it in the reader's language. */
export class CityListError extends Error {
  readonly key: 'CityListFailed' | 'CityListInvalid' | 'CityListUnreachable'
  readonly status: number | undefined
  constructor(key: CityListError['key'], message: string, status?: number) {
    super(message)
    this.name = 'CityListError'
    this.key = key
    this.status = status
  }
}

/** The names of one file (`FR.json`), in its own order: by population. Throws CityListError. */
export async function fetchCities(cityFile: string, signal?: AbortSignal): Promise<readonly string[]> {
  const response = await fetch(`${mediaUrl}cities/${encodeURIComponent(cityFile)}`, signal ? { signal } : {}).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new CityListError('CityListUnreachable', `Failed to fetch city list: ${String(cause)}`)
  })
  if (!response.ok) throw new CityListError('CityListFailed', `Failed to fetch city list: ${response.status}`, response.status)
  const list = cityList.safeParse(await response.json().catch(() => undefined))
  if (!list.success) throw new CityListError('CityListInvalid', 'Invalid city data format: cities array not found')
  return list.data.cities
}
