/**
 * Runs in every measured page before its own scripts, the product's and the yardsticks' alike, so that all are
 * measured by the same clock at the same places. Self-contained: its source is sent to the browser.
 */

export interface Tap {
  /** ms from the tap as the browser took it in */
  painted: number
  committed: number
  /** whether that frame showed the choice */
  wasShown: boolean
  durability: string
}

interface Probe {
  /** ms from the start of the navigation until a question could be answered and was on screen */
  opened: Promise<number>
  /** ms from there until the page said how many files have arrived; undefined while it has not */
  progressAt(): number | undefined
  /** where to tap the next unanswered item; undefined when none is left in the document */
  aim(): Promise<{ x: number; y: number } | undefined>
  arm(): void
  tapped(): Promise<Tap>
  /** a tap made as soon as a question is answerable: ms from the start of the navigation to that tap's commit */
  firstOnDisk(): Promise<number>
  longTasks: { start: number; duration: number }[]
}

declare global {
  interface Window {
    bench: Probe
    /** set if the probe must make the first tap */
    tapsFirst?: true
  }
}

export function installProbe(): void {
  if (window.top !== window) return
  // on a slow network a first tap may wait for a part of the app
  const SETTLED = 30_000
  interface Running {
    start: number
    radio: HTMLInputElement | undefined
    shown: boolean | undefined
    painted: number | undefined
    transaction: IDBTransaction | undefined
    committed: number | undefined
    done: (tap: Tap) => void
  }
  let isArmed = false
  let current: Running | undefined
  let tapped: Promise<Tap> = Promise.reject(new Error('not armed'))
  tapped.catch(() => undefined)
  let fulfil: ((tap: Tap) => void) | undefined
  const longTasks: { start: number; duration: number }[] = []

  // a message posted in a frame's callback arrives after that frame is painted
  function afterPaint(): Promise<number> {
    return new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => resolve(performance.now()))
        port1.start()
        port2.postMessage(null)
      })
    })
  }

  function targetOf(radio: HTMLInputElement): Element {
    return radio.closest('label') ?? radio
  }

  function centreOf(element: Element) {
    const box = element.getBoundingClientRect()
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  function isOnScreen(radio: HTMLInputElement): boolean {
    const target = targetOf(radio)
    const { x, y } = centreOf(target)
    const hit = document.elementFromPoint(x, y)
    return hit !== null && target.contains(hit)
  }

  const radios = () => [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')]

  function isAnswerable(): boolean {
    return radios()
      .slice(0, 60)
      .some((radio) => radio.matches(':enabled') && isOnScreen(radio))
  }

  const opened = new Promise<number>((resolve) => {
    const look = () => {
      if (document.documentElement && isAnswerable()) void afterPaint().then(resolve)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })

  let progressAt: number | undefined
  const lookForProgress = () => {
    if (document.querySelector('.first-paint-progress')) {
      void afterPaint().then((at) => {
        progressAt = at
      })
    } else requestAnimationFrame(lookForProgress)
  }
  requestAnimationFrame(lookForProgress)

  async function aim() {
    const items = new Map<string, HTMLInputElement[]>()
    for (const radio of radios()) items.set(radio.name, [...(items.get(radio.name) ?? []), radio])
    let place = 0
    for (const choices of items.values()) {
      place += 1
      const free = choices.filter((radio) => radio.matches(':enabled'))
      if (free.length === 0 || choices.some((radio) => radio.checked)) continue
      const chosen = free[(place * 7 + 3) % free.length]
      if (!chosen) continue
      const target = targetOf(chosen)
      const { y } = centreOf(target)
      if (!isOnScreen(chosen) || y < innerHeight * 0.2 || y > innerHeight * 0.8) {
        target.scrollIntoView({ block: 'center', behavior: 'instant' })
        await afterPaint()
        await afterPaint()
      }
      return centreOf(target)
    }
    return undefined
  }

  function finish(tap: Running): void {
    if (tap.painted === undefined || tap.committed === undefined) return
    current = undefined
    tap.done({
      painted: tap.painted,
      committed: tap.committed,
      wasShown: tap.shown === true,
      durability: tap.transaction?.durability ?? '',
    })
  }

  window.addEventListener(
    'click',
    (event) => {
      if (!isArmed || !fulfil) return
      isArmed = false
      const label = event.target instanceof Element ? event.target.closest('label') : null
      const radio = label?.querySelector<HTMLInputElement>('input[type=radio]') ?? undefined
      const tap: Running = {
        start: event.timeStamp,
        radio,
        shown: undefined,
        painted: undefined,
        transaction: undefined,
        committed: undefined,
        done: fulfil,
      }
      current = tap
      requestAnimationFrame(() => {
        tap.shown = radio?.checked
      })
      void afterPaint().then((at) => {
        tap.painted = at - tap.start
        finish(tap)
      })
    },
    true,
  )

  // every page stores an answer in "answers" with a transaction on that store alone
  const begin = IDBDatabase.prototype.transaction
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given: Parameters<typeof begin>) {
    const transaction = begin.apply(this, given)
    const tap = current
    const names = [...transaction.objectStoreNames]
    if (tap && !tap.transaction && transaction.mode === 'readwrite' && names.length === 1 && names[0] === 'answers') {
      tap.transaction = transaction
      transaction.addEventListener('complete', () => {
        tap.committed = performance.now() - tap.start
        finish(tap)
      })
    }
    return transaction
  }

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ start: startTime, duration })
  }).observe({ type: 'longtask', buffered: true })

  function arm(): void {
    isArmed = true
    tapped = new Promise((resolve, reject) => {
      fulfil = resolve
      setTimeout(() => reject(new Error('the tap was not painted and committed')), SETTLED)
    })
    tapped.catch(() => undefined)
  }

  let firstTapAt = Promise.resolve(0)
  // taps in the same task in which the question appears, because later tasks must not delay the tap
  const firstTap = opened.then(() => {
    if (!window.tapsFirst) throw new Error('nobody asked for a first tap')
    const radio = radios().find((one) => one.matches(':enabled') && isOnScreen(one))
    if (!radio) throw new Error('the question has gone again')
    arm()
    const target = targetOf(radio)
    firstTapAt = new Promise((resolve) => target.addEventListener('click', ({ timeStamp }) => resolve(timeStamp), { once: true }))
    if (target instanceof HTMLElement) target.click()
    return tapped
  })
  firstTap.catch(() => undefined)

  window.bench = {
    opened,
    progressAt: () => progressAt,
    aim,
    arm,
    tapped: () => tapped,
    async firstOnDisk() {
      return (await firstTap).committed + (await firstTapAt)
    },
    longTasks,
  }
}
