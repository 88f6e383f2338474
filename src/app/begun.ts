/** Calls and the database request that the script in the page (src/boot/begin.ts) started before the app loaded; each is used once. */
export interface Begun {
  /** replies of calls under way, by URL */
  replies: Record<string, BegunReply>
  /** the request that opens the device's database */
  device?: IDBOpenDBRequest
  /** resolves when the styles of the first questions apply */
  styles?: Promise<unknown>
  /** the first questions are on screen, or need the rest of the app: its scripts wait for this, as running them would delay the questions */
  noteShown?: () => void
}

/** The call was made in this language, as this person. */
interface BegunReply {
  language: string
  authorization: string | undefined
  reply: Promise<Response>
}

declare global {
  interface Window {
    begun?: Begun
  }
}

/** `window`; in a test without a browser, the global object. */
export const page: Pick<Window, 'begun'> = globalThis as typeof globalThis & Pick<Window, 'begun'>
