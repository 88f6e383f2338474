/**
 * Polyfills for browser APIs that the oldest supported browsers lack, or that all browsers hide on plain http. Imported first.
 * Other missing APIs must not be used (tests/house/browser-apis.test.ts). docs/decisions/0035
 */

function add<Owner extends object, Name extends keyof Owner>(owner: Owner, name: Name, value: Owner[Name]): void {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, configurable: true, writable: true })
}

function parse(url: string | URL, base?: string | URL): URL | null {
  try {
    return new URL(url, base)
  } catch {
    return null
  }
}

function any(signals: Iterable<AbortSignal>): AbortSignal {
  const controller = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason)
    else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true, signal: controller.signal })
  }
  return controller.signal
}

/** A version 4 UUID. */
function randomUUID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-') as ReturnType<
    Crypto['randomUUID']
  >
}

add(URL, 'parse', parse)
add(URL, 'canParse', (url, base) => parse(url, base) !== null)
add(AbortSignal, 'any', any)
add(crypto, 'randomUUID', randomUUID)
