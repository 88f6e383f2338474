import * as z from 'zod/mini'
import { mediaUrl } from '#app/api/base-url.ts'
import { takePrefetched } from '#app/api/prefetched.ts'
import { CALL_TIMEOUT_MS } from '#app/constants.ts'
import { section } from '#contract/instances.ts'
import type { Section } from '#contract/rules/questionnaire.ts'

/** The questionnaire's words, as files that never change (tools/content-files.ts): a browser asks for each once. */

interface ContentFiles {
  current: string
  files: Record<string, Record<string, string>>
}

// put there by the build; without it only the API has the words
const given = import.meta.env.CONTENT_FILES as string | undefined
const content = given === undefined ? undefined : (JSON.parse(given) as ContentFiles) // as the tool wrote it

/** The content version that a new instance has, as far as this build knows. */
export const currentContent = content?.current

const words = z.object({ sections: z.array(section) })

/** The words of a content version in a language; undefined where there is no such file, or none that can be read: the API has them too. */
export async function fetchWords(contentVersion: string, language: string): Promise<Section[] | undefined> {
  const file = content?.files[contentVersion]?.[language]
  if (file === undefined) return undefined
  const address = `${mediaUrl}content/${file}`
  try {
    const prefetched = takePrefetched(address, { 'accept-language': language })
    const reply = await (prefetched ?? fetch(address, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) }))
    if (!reply.ok) return undefined
    return words.safeParse(await reply.json()).data?.sections
  } catch {
    // a captive portal's page, or no line: the call beside it says which
    return undefined
  }
}
