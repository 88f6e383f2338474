import * as z from 'zod/mini'
import { mediaUrl } from '#app/api/base-url.ts'
import { takePrefetched } from '#app/api/prefetched.ts'
import { CALL_TIMEOUT_MS } from '#app/constants.ts'
import { section } from '#contract/instances.ts'
import type { Section } from '#contract/rules/questionnaire.ts'

/** The questionnaire's texts as immutable files (tools/content-files.ts), which a browser fetches once. */

interface ContentFiles {
  current: string
  files: Record<string, Record<string, string>>
}

// set by the build; in development only the API has the texts
const filesJson = import.meta.env.CONTENT_FILES as string | undefined
const content = filesJson === undefined ? undefined : (JSON.parse(filesJson) as ContentFiles) // as the tool wrote it

/** The content version that new instances had when this was built. */
export const currentContent = content?.current

const contentFile = z.object({ sections: z.array(section) })

/** The sections of a content version in a language; undefined if there is no such file or it cannot be read: then the API has them. */
export async function fetchSections(contentVersion: string, language: string): Promise<Section[] | undefined> {
  const file = content?.files[contentVersion]?.[language]
  if (file === undefined) return undefined
  const address = `${mediaUrl}content/${file}`
  try {
    const prefetched = takePrefetched(address, { 'accept-language': language })
    const reply = await (prefetched?.reply ?? fetch(address, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) }))
    if (!reply.ok) return undefined
    return contentFile.safeParse(await reply.json()).data?.sections
  } catch {
    // a captive portal's page, or no connection: the API call made in parallel reports which
    return undefined
  }
}
