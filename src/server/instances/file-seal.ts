import { hkdfSync } from 'node:crypto'
import { compactDecrypt } from 'jose'
import { fileContent, headerFrom, sealedPartOf, type FileContent, type FileHeader } from '#contract/rules/answers-file.ts'
import type { Keys } from '../keys.ts'

/**
 * The seal of answers files (decision 0047). The key belongs to one player and one instance, so a file that opens was made by a
 * device which had read that instance as that player.
 */

const KEY_BYTES = 32
const NAME_BYTES = 9

function derived(keys: Keys, info: readonly string[], bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', keys.refreshKey, '', JSON.stringify(['answers file', ...info]), bytes))
}

const serverNames = new WeakMap<Keys, string>()

/** Distinguishes a file of another server from a damaged one. */
function serverName(keys: Keys): string {
  const name = serverNames.get(keys) ?? derived(keys, ['server'], NAME_BYTES).toString('base64url')
  serverNames.set(keys, name)
  return name
}

function keyOf(keys: Keys, instanceId: string, userId: string): Buffer {
  return derived(keys, ['key', instanceId, userId], KEY_BYTES)
}

/** `fileSeal` of an instance, for its player only. */
export function fileSealOf(keys: Keys, instanceId: string, userId: string): string {
  return `${serverName(keys)}.${keyOf(keys, instanceId, userId).toString('base64url')}`
}

type OpenResult =
  | { header: FileHeader; content: FileContent }
  | { refusal: 'NOT_AN_ANSWERS_FILE' | 'ANSWERS_FILE_DAMAGED' | 'ANSWERS_FILE_ELSEWHERE' }

/** Opens the text of a file. Reads no database: what is not sealed by us learns nothing of it. */
export async function openFile(keys: Keys, text: string): Promise<OpenResult> {
  const part = sealedPartOf(text)
  if (part === undefined) return { refusal: 'NOT_AN_ANSWERS_FILE' }
  if (part === 'cut') return { refusal: 'ANSWERS_FILE_DAMAGED' }
  const { sealed } = part
  const header = headerFrom(Buffer.from(sealed.split('.')[0] ?? '', 'base64url').toString())
  if (!header) return { refusal: 'ANSWERS_FILE_DAMAGED' }
  if (header.iss !== serverName(keys)) return { refusal: 'ANSWERS_FILE_ELSEWHERE' }
  const content = await unsealed(sealed, keyOf(keys, header.kid, header.sub))
  return content ? { header, content } : { refusal: 'ANSWERS_FILE_DAMAGED' }
}

async function unsealed(sealed: string, key: Uint8Array): Promise<FileContent | undefined> {
  try {
    const allowed = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
    const { plaintext } = await compactDecrypt(sealed, key, allowed)
    return fileContent.safeParse(JSON.parse(new TextDecoder().decode(plaintext))).data
  } catch {
    // whatever it is, it was not made by our seal
    return undefined
  }
}
