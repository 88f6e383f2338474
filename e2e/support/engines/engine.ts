/** What each engine's driver must do. Journeys use `EnginePage`, which is made of it. */

type EngineName = 'Chromium' | 'Firefox' | 'WebKitGTK'

export interface Engine {
  name: EngineName
  /** whether this machine has it */
  isInstalled: boolean
  /** A browser with a new profile in this folder. */
  browser: (folder: string) => EngineBrowser
  /** The same, with a setting that keeps pages from storing; the name says which. Empty if this machine has none. */
  blocking: Readonly<Record<string, (folder: string) => EngineBrowser>>
}

/** A browser with a profile on the disk, in processes of its own. */
export interface EngineBrowser {
  /** Starts it on its profile, with one window. */
  start: () => Promise<Driver>
  /** Ends it as a person does. */
  close: () => Promise<void>
  /** Ends all its processes at once, as an empty battery would. */
  kill: () => Promise<void>
  /** Ends whatever else was started for it. */
  end: () => Promise<void>
}

/** A function that runs in the page; `given` and the reply are JSON. */
export type InPage<G, R> = (given: G) => R | Promise<R>

/** Finds an element in the page. */
export type Finder<G> = (given: G) => Element | null

/** One window. */
export interface Driver {
  goto: (url: string) => Promise<void>
  reload: () => Promise<void>
  run: <G, R>(work: InPage<G, R>, given: G) => Promise<R>
  /** Runs a library's source in the page. */
  load: (source: string) => Promise<void>
  /** Taps what is found, by pointer. */
  tap: <G>(find: Finder<G>, given: G) => Promise<void>
  /** Types into what is found, by keyboard. */
  type: <G>(find: Finder<G>, given: G, text: string) => Promise<void>
  /** Chooses a file in the file field that is found. */
  chooseFile: <G>(find: Finder<G>, given: G, path: string) => Promise<void>
}
