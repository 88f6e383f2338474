/**
 * Runs before the app, in the page itself: a deep link knows its screen, so its chunks, its words and its first read are
 * asked for while the entry is still on its way, instead of one round trip after the other.
 * `build` is put before this text by vite.config.ts:
 * {files, routes: [pattern, chunks, words, read][], common, api, headers, questions, database}.
 */
/* global build */
{
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }

  /** A chunk runs once it is there, while the others are on their way: one long task at the end would hold up a slow phone. */
  const ask = (places) => {
    for (const place of new Set(places)) {
      const file = build.files[place]
      const isStyle = file.endsWith('.css')
      const one = document.createElement(isStyle ? 'link' : 'script')
      one.crossOrigin = ''
      document.head.append(
        Object.assign(one, isStyle ? { rel: 'preload', as: 'style', href: `/${file}` } : { type: 'module', src: `/${file}` }),
      )
    }
  }

  const here = build.routes.find(([pattern]) => new RegExp(pattern).test(location.pathname))
  // before the storage, which takes a phone its time to open
  if (here) ask(here[1])
  const language = (stored('language') || navigator.language || '').slice(0, 2) === 'fr' ? 'fr' : 'en'
  ask([...build.common, ...(here ? [here[2]] : [])].flatMap(([english, french]) => (language === 'fr' ? [...english, ...french] : english)))

  const token = Number(stored('expiresAt')) > Date.now() ? stored('accessToken') : null

  /** Taken by api/early.ts for the first call that asks the same. What everybody may read is asked for bare (ruling 20). */
  const read = (path, isPublic) => {
    if (!token) return
    const authorization = isPublic ? undefined : `Bearer ${token}`
    const headers = { ...build.headers, 'accept-language': language, ...(authorization && { authorization }) }
    begin(build.api + path, authorization, { headers, cache: isPublic ? 'default' : 'no-store', credentials: 'same-origin' })
  }

  const begin = (address, authorization, init) => {
    const reply = fetch(address, init)
    reply.catch(() => undefined)
    window.early = { ...window.early, [address]: { language, authorization, reply } }
  }

  /** What a player's dashboard asks for at once (screens/home/player-dashboard.tsx); a coach's asks for other things. */
  const readDashboard = () => {
    try {
      const { sub, userTypeCode } = JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')))
      if (userTypeCode !== 'player') return
      for (const path of [`user/${sub}`, `assessment/assessment-instance?userId=${sub}`, 'assessment?page=1&limit=10']) read(path)
      read('settings', true)
    } catch {
      // no token, or not ours: the app will say
    }
  }

  /** Taken by offline/at-hand.ts, which reads the first question from it; one that is not made yet, or is in another's way, is let go. */
  const openDevice = () => {
    try {
      const opening = indexedDB.open(build.database)
      opening.onupgradeneeded = () => opening.transaction.abort()
      opening.onsuccess = () => {
        opening.result.onversionchange = () => opening.result.close()
      }
      window.opening = opening
    } catch {
      // this browser keeps nothing: the app will say
    }
  }

  if (location.pathname === '/') readDashboard()
  if (here?.[3]) {
    openDevice()
    // the questions, which never change, beside what is this player's
    if (token) begin(build.questions[language])
    read(location.pathname.replace(new RegExp(here[0]), here[3]))
  }
}
