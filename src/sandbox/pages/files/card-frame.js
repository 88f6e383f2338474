/* The card form of the sandbox, inside the frame that stripe.js mounts. */
;(() => {
  const form = document.getElementById('card')
  const button = form.querySelector('button')
  const status = document.getElementById('status')
  const formError = document.getElementById('form-error')
  const fields = { number: form.elements.number, expiry: form.elements.expiry, cvc: form.elements.cvc }

  function tell(message) {
    window.parent.postMessage({ source: 'card-sandbox', ...message }, location.origin)
  }

  new ResizeObserver(() => tell({ type: 'height', height: document.documentElement.getBoundingClientRect().height })).observe(document.body)

  /** Groups the typed digits while the caret is at the end; elsewhere it would jump. */
  function format(input, group) {
    input.addEventListener('input', () => {
      if (input.selectionStart === input.value.length) input.value = group(input.value)
    })
  }

  format(fields.number, (value) =>
    value
      .replace(/\D/g, '')
      .slice(0, 19)
      .replace(/(.{4})(?=.)/g, '$1 '),
  )
  format(fields.expiry, (value) => {
    const digits = value.replace(/\D/g, '').slice(0, 4)
    return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits
  })

  function showError(name, message) {
    const input = fields[name]
    document.getElementById(`${name}-error`).textContent = message
    if (message) input.setAttribute('aria-invalid', 'true')
    else input.removeAttribute('aria-invalid')
  }

  function showRefusals(refusals) {
    for (const refusal of refusals) {
      if (refusal.field) showError(refusal.field, refusal.message)
      else formError.textContent = refusal.message
    }
    const first = Object.keys(fields).find((name) => refusals.some((refusal) => refusal.field === name))
    if (first) fields[first].focus()
  }

  async function handleReply(response) {
    const reply = await response.json()
    if (response.ok) {
      status.textContent = form.dataset.paid
      tell({ type: 'complete', sessionId: reply.sessionId, returnUrl: reply.returnUrl })
      return
    }
    status.textContent = ''
    button.disabled = false
    if (reply.refusals) showRefusals(reply.refusals)
    else formError.textContent = reply.message ?? form.dataset.unreachable
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    formError.textContent = ''
    for (const name of Object.keys(fields)) showError(name, '')
    status.textContent = form.dataset.processing
    try {
      const response = await fetch('/dev/card-frame/pay', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          clientSecret: form.dataset.clientSecret,
          lang: document.documentElement.lang,
          number: fields.number.value,
          expiry: fields.expiry.value,
          cvc: fields.cvc.value,
        }),
      })
      await handleReply(response)
    } catch {
      status.textContent = ''
      button.disabled = false
      formError.textContent = form.dataset.unreachable
    }
  })
})()
