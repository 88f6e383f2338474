/** What began before the app had loaded: by the script in the page (src/boot/begin.ts), and the first questions (src/app/first-questions.ts). */
export interface EarlyStart {
  /** pending replies, by URL; each is used once */
  replies: Record<string, EarlyReply>
  /** the request that opens the device's database; used once */
  device?: IDBOpenDBRequest
  /** resolves when the texts and styles of the first questions are here */
  arrived?: Promise<unknown>
  /**
   * resolves when all files of the screen are here. What first-questions.ts imports on demand waits for it: a module that fails to load may
   * stay failed, and would reload the page (shell/reload-for-lost-parts.ts)
   */
  allArrived?: Promise<void>
  /** resolves when the files of the chunk of calls are here, which the questions of a new device need, too */
  callsArrived?: Promise<unknown>
  /** the first questions are on screen, or need the rest of the app: its scripts wait for this, as running them would delay the questions */
  noteShown?: () => void
  first?: FirstQuestions
  /**
   * Fetches the app's files that this page has requested, past the browser's cache where what it has was cut, is a 404 or somebody else's
   * page; those to whose request no reply has come only if `isStuck`, as that takes long. Never rejects.
   */
  fetchParts?: (options?: { isStuck?: boolean }) => Promise<PartsOutcome>
  /** React draws the screen, so nothing else may */
  isDrawn?: true
}

/**
 * removed: the server no longer has one of them · missing: one cannot be fetched now · cut: one has no end, or something on the way
 * takes comments out of it · here: none of that, as far as the browser tells
 */
export type PartsOutcome = 'removed' | 'missing' | 'cut' | 'here'

/** The questions that the page shows before React has loaded. docs/decisions/0064-the-first-question-before-react.md */
export interface FirstQuestions {
  /** Lets React draw the screen in their place, as soon as nobody is tapping. `draw` must have drawn it when it returns. */
  replace: (draw: () => void) => Promise<void>
  /** the question at which the player was, as positions of its section and in it; undefined if none of this instance was shown */
  placeIn: (instanceId: string) => { section: number; question: number } | undefined
  /** whether answers are in this page alone, which a reload would lose */
  hasUnwritten: () => boolean
  /** Focuses what was focused, and scrolls to where the page was; once React's elements are there. */
  restore: () => void
}

/** The call was made in this language, as this person. */
export interface EarlyReply {
  /** epoch ms */
  askedAt: number
  language: string
  authorization: string | undefined
  reply: Promise<Response>
}

declare global {
  interface Window {
    earlyStart?: EarlyStart
  }
}

/** Undefined in a test without a page. */
export const earlyStart = () => (globalThis as Pick<Window, 'earlyStart'>).earlyStart
