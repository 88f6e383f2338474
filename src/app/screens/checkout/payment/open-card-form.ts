import { loadStripe } from '@stripe/stripe-js/pure'
import { apiUrl } from '#app/api/base-url.ts'
import type { Language } from '#contract/languages.ts'

/** The card provider's embedded form, loaded from its own script or the sandbox's (settings.cardPayments). BUY-20 */

export interface CardPayments {
  publishableKey: string
  /** the sandbox's own script; null means the provider's */
  script: string | null
}

interface CardFormPlace {
  element: HTMLElement
  language: Language
}

const scripts = new Map<string, Promise<void>>()

/** Loads a script once per page; a failed load can be repeated. */
function loadScript(address: string): Promise<void> {
  const known = scripts.get(address)
  if (known) return known
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.addEventListener('load', () => {
      resolve()
    })
    script.addEventListener('error', () => {
      script.remove()
      scripts.delete(address)
      reject(new Error(`Script failed to load: ${address}`))
    })
    document.head.append(script)
  })
  scripts.set(address, loading)
  return loading
}

// the provider allows one form at a time: each waits until the previous one is open or removed
let turn: Promise<unknown> = Promise.resolve()

/**
 * Opens the form in an element, then calls `onOpen` or `onError`. The returned function removes the form, even while it is still
 * opening; neither is called after that.
 */
export function openCardForm(
  { publishableKey, script }: CardPayments,
  clientSecret: string,
  { element, language }: CardFormPlace,
  callbacks: { onOpen: () => void; onError: (error: unknown) => void },
): () => void {
  let isWanted = true
  let close = () => {}

  async function open(): Promise<void> {
    if (!isWanted) return
    if (script) await loadScript(new URL(script, new URL(apiUrl, location.href)).href)
    const stripe = await loadStripe(publishableKey, { locale: language })
    if (!stripe) throw new Error('The card provider is not available here')
    const form = await stripe.createEmbeddedCheckoutPage({ clientSecret })
    if (isWanted) {
      close = () => {
        form.destroy()
      }
      form.mount(element)
      callbacks.onOpen()
    } else {
      form.destroy()
    }
  }

  turn = turn.then(open).catch((error: unknown) => {
    if (isWanted) callbacks.onError(error)
  })

  return () => {
    isWanted = false
    close()
  }
}
