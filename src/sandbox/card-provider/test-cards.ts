/** The provider's published test cards, and how a card is checked: first its form, then the bank's decision. */

type CardField = 'number' | 'expiry' | 'cvc'

/** `code` and `declineCode` are the provider's; the texts are in pages/words.ts under `code`. */
export interface CardRefusal {
  type: 'card_error'
  code:
    | 'incomplete_number'
    | 'invalid_number'
    | 'incomplete_expiry'
    | 'invalid_expiry_month_past'
    | 'invalid_expiry_year_past'
    | 'incomplete_cvc'
    | 'card_declined'
    | 'insufficient_funds'
    | 'expired_card'
    | 'incorrect_cvc'
    | 'processing_error'
    | 'test_mode_live_card'
  declineCode: string | null
  /** the field to correct; null: the message is about the whole form */
  field: CardField | null
}

export interface CardEntry {
  number: string
  /** as typed: MM / YY */
  expiry: string
  cvc: string
}

const PAYS = new Set(['4242424242424242', '4000056655665556', '5555555555554444', '378282246310005'])
const DECLINED: Record<string, CardRefusal> = {
  '4000000000000002': { type: 'card_error', code: 'card_declined', declineCode: 'generic_decline', field: null },
  '4000000000009995': { type: 'card_error', code: 'insufficient_funds', declineCode: 'insufficient_funds', field: null },
  '4000000000000069': { type: 'card_error', code: 'expired_card', declineCode: null, field: 'expiry' },
  '4000000000000127': { type: 'card_error', code: 'incorrect_cvc', declineCode: null, field: 'cvc' },
  '4000000000000119': { type: 'card_error', code: 'processing_error', declineCode: null, field: null },
}

/** All mistakes that can be found without asking a bank. */
export function mistakesIn(card: CardEntry, now: number): CardRefusal[] {
  return [mistakeInNumber(card.number), mistakeInExpiry(card.expiry, now), mistakeInCvc(card.cvc, card.number)].filter(
    (one) => one !== null,
  )
}

/** The bank's refusal of a well-formed card; null: it pays. */
export function declineOf(card: CardEntry): CardRefusal | null {
  const number = digitsOf(card.number)
  if (PAYS.has(number)) return null
  return DECLINED[number] ?? { type: 'card_error', code: 'test_mode_live_card', declineCode: 'test_mode_live_card', field: null }
}

function mistakeInNumber(typed: string): CardRefusal | null {
  const number = digitsOf(typed)
  const wanted = isAmex(number) ? 15 : 16
  if (!/^[\d\s]*$/.test(typed)) return mistake('invalid_number', 'number')
  if (number.length < wanted) return mistake('incomplete_number', 'number')
  return number.length === wanted && passesLuhn(number) ? null : mistake('invalid_number', 'number')
}

function mistakeInExpiry(typed: string, now: number): CardRefusal | null {
  const match = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|\d{4})\s*$/.exec(typed)
  const month = Number(match?.[1])
  if (!match || month < 1 || month > 12) return mistake('incomplete_expiry', 'expiry')
  const year = Number(match[2]?.padStart(4, '20'))
  const today = new Date(now)
  if (year < today.getUTCFullYear()) return mistake('invalid_expiry_year_past', 'expiry')
  const isPast = year === today.getUTCFullYear() && month < today.getUTCMonth() + 1
  return isPast ? mistake('invalid_expiry_month_past', 'expiry') : null
}

function mistakeInCvc(typed: string, number: string): CardRefusal | null {
  const wanted = isAmex(digitsOf(number)) ? 4 : 3
  return new RegExp(`^\\d{${wanted}}$`).test(typed.trim()) ? null : mistake('incomplete_cvc', 'cvc')
}

function mistake(code: CardRefusal['code'], field: CardField): CardRefusal {
  return { type: 'card_error', code, declineCode: null, field }
}

function digitsOf(typed: string): string {
  return typed.replace(/\D/g, '')
}

function isAmex(number: string): boolean {
  return /^3[47]/.test(number)
}

function passesLuhn(number: string): boolean {
  const sum = [...number].toReversed().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1)
    return total + (digit > 9 ? digit - 9 : digit)
  }, 0)
  return sum % 10 === 0
}
