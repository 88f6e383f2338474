/*
 * The sandbox's stand-in for the card provider's browser script: the part of its API that the portal uses. `loadStripe` of
 * @stripe/stripe-js finds and uses `window.Stripe`.
 */
;(() => {
  const FRAME = '/dev/card-frame'
  const THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
  let current = null

  function integrationError(message) {
    const error = new Error(message)
    error.name = 'IntegrationError'
    return error
  }

  function languageOf(options) {
    const wanted = options && options.locale && options.locale !== 'auto' ? options.locale : document.documentElement.lang
    return wanted || 'en'
  }

  // localhost and 127.0.0.1 are one machine, but the browser is signed in at one of the two
  function returnAddress(returnUrl) {
    const { hostname, pathname, search } = new URL(returnUrl)
    const isHere = THIS_MACHINE.test(hostname) && THIS_MACHINE.test(location.hostname)
    return isHere ? location.origin + pathname + search : returnUrl
  }

  async function clientSecretOf(options) {
    const secret = typeof options.fetchClientSecret === 'function' ? await options.fetchClientSecret() : options.clientSecret
    if (typeof secret !== 'string' || !/^cs_\w+_secret_\w+$/.test(secret)) {
      throw integrationError('Invalid client secret: createEmbeddedCheckoutPage takes the client_secret of a Checkout Session.')
    }
    return secret
  }

  function makeCheckout(clientSecret, language, onComplete) {
    let frame = null
    let isDestroyed = false

    function onMessage(event) {
      // only from our own frame and origin
      if (!frame || event.source !== frame.contentWindow || event.origin !== location.origin) return
      const message = event.data
      if (!message || message.source !== 'card-sandbox') return
      if (message.type === 'height') frame.style.height = `${Math.ceil(message.height)}px`
      if (message.type !== 'complete') return
      if (onComplete) onComplete()
      if (message.returnUrl) location.assign(returnAddress(message.returnUrl))
    }

    function unmount() {
      removeEventListener('message', onMessage)
      if (frame) frame.remove()
      frame = null
    }

    const checkout = {
      mount(place) {
        if (isDestroyed) throw integrationError('This Embedded Checkout was destroyed and cannot be mounted again.')
        const element = typeof place === 'string' ? document.querySelector(place) : place
        if (!element) throw integrationError(`There is no element ${place} to mount Embedded Checkout on.`)
        unmount()
        frame = document.createElement('iframe')
        frame.title = /^fr\b/i.test(language) ? 'Cadre de saisie sécurisé pour le paiement' : 'Secure payment input frame'
        frame.name = 'embedded-checkout'
        frame.src = `${FRAME}?${new URLSearchParams({ client_secret: clientSecret, lang: language })}`
        frame.style.width = '100%'
        frame.style.height = '480px'
        frame.style.border = '0'
        frame.style.display = 'block'
        addEventListener('message', onMessage)
        element.append(frame)
      },
      unmount,
      destroy() {
        unmount()
        isDestroyed = true
        if (current === checkout) current = null
      },
    }
    return checkout
  }

  function Stripe(publishableKey, options) {
    if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pk_')) {
      throw integrationError('Stripe() takes a publishable key, which starts with pk_.')
    }
    return {
      async createEmbeddedCheckoutPage(checkoutOptions = {}) {
        // the provider, too, allows one at a time only
        if (current) throw integrationError('You cannot have multiple Embedded Checkout objects.')
        const reserved = {}
        current = reserved
        try {
          const clientSecret = await clientSecretOf(checkoutOptions)
          current = makeCheckout(clientSecret, languageOf(options), checkoutOptions.onComplete)
          return current
        } catch (error) {
          if (current === reserved) current = null
          throw error
        }
      },
    }
  }

  // the release name that @stripe/stripe-js 10 expects
  Stripe.version = 'endive'
  window.Stripe = Stripe
})()
