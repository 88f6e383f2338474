import { expect, it } from 'vitest'
import { mistakesIn } from '#sandbox/card-provider/test-cards.ts'
import { readForm } from '#sandbox/card-provider/form.ts'

const NOW = Date.UTC(2026, 10, 20)
const CARD = { number: '4242424242424242', expiry: '11 / 26', cvc: '123' }

it.each([
  [{}, []],
  [{ number: '' }, ['incomplete_number']],
  [{ number: '4242 4242' }, ['incomplete_number']],
  [{ number: '4242 4242 4242 4241' }, ['invalid_number']],
  [{ number: '4242-4242-4242-4242' }, ['invalid_number']],
  [{ number: '42424242424242424' }, ['invalid_number']],
  [{ expiry: '' }, ['incomplete_expiry']],
  [{ expiry: '13 / 30' }, ['incomplete_expiry']],
  [{ expiry: '10 / 26' }, ['invalid_expiry_month_past']],
  [{ expiry: '12/25' }, ['invalid_expiry_year_past']],
  [{ expiry: '1/2031' }, []],
  [{ cvc: '12' }, ['incomplete_cvc']],
  [{ cvc: 'abc' }, ['incomplete_cvc']],
  [{ number: '3782 822463 10005', cvc: '123' }, ['incomplete_cvc']],
  [{ number: '3782 822463 10005', cvc: '1234' }, []],
  [{ number: '', expiry: '', cvc: '' }, ['incomplete_number', 'incomplete_expiry', 'incomplete_cvc']],
])('a card with %j has the mistakes %j', (change, codes) => {
  expect(mistakesIn({ ...CARD, ...change }, NOW).map(({ code }) => code)).toEqual(codes)
})

it('the provider’s form encoding is read, and a name like __proto__ changes no prototype', () => {
  expect(readForm('mode=payment&line_items[0][price]=p&line_items[0][quantity]=2&line_items[10][price]=q&metadata[a]=b%20%C3%A9')).toEqual({
    mode: 'payment',
    line_items: [{ price: 'p', quantity: '2' }, { price: 'q' }],
    metadata: { a: 'b é' },
  })
  readForm('__proto__[polluted]=1&constructor[prototype][polluted]=1')
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})
