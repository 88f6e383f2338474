import { Price } from '#app/parts/assessment/price.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () => <Price cost={{ amount: 4900, original: undefined, currency: 'usd' }} />,
  Many: () => <Price cost={{ amount: 4900, original: 6900, currency: 'usd' }} />,
}
