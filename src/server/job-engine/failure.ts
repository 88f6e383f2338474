/** What is stored about a job's failure: its kind and codes, never its text, which may quote an address or a row. */
export interface Failure {
  kind: string
  codes: string[]
}

/** A code of a system, SQLSTATE or SMTP, or an SMTP command. */
const CODE = /^[A-Z0-9_]{1,40}( (FROM|TO))?$/
const CODES = ['code', 'responseCode', 'command'] as const

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { kind: typeof error, codes: [] }
  const codes: string[] = []
  for (let one: unknown = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    const fields: Partial<Record<string, unknown>> = { ...one }
    for (const name of CODES) {
      const code = fields[name]
      if ((typeof code === 'string' || typeof code === 'number') && CODE.test(String(code))) codes.push(String(code))
    }
  }
  return { kind: error.constructor.name, codes }
}
