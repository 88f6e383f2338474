/** What the script in the page (src/boot/begin.ts) has begun before the app was there; each is taken once. */
export interface Begun {
  /** by address, the replies of calls under way */
  replies: Record<string, BegunReply>
  /** opens the device's database */
  device?: IDBOpenDBRequest
}

/** The call was made in this language, as this person. */
export interface BegunReply {
  language: string
  authorization: string | undefined
  reply: Promise<Response>
}

declare global {
  interface Window {
    begun?: Begun
  }
}

/** The page, also where there is none: in a test. */
export const page: Pick<Window, 'begun'> = globalThis as typeof globalThis & Pick<Window, 'begun'>
