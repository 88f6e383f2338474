import type Stripe from 'stripe'

/** A refusal of the sandbox's API, shaped as the provider's: `{error: {type, code, message, param}}`. */
export class SandboxRefusal extends Error {
  readonly status: number
  readonly error: { type: Stripe.RawErrorType | 'idempotency_error'; code?: string; message: string; param?: string }

  constructor(status: number, error: SandboxRefusal['error']) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export function invalidRequest(message: string, more: { code?: string; param?: string } = {}, status = 400): SandboxRefusal {
  return new SandboxRefusal(status, { type: 'invalid_request_error', message, ...more })
}

export function missing(kind: string, id: string, param: string, status: number): SandboxRefusal {
  return invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing', param }, status)
}
