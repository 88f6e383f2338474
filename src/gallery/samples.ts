import type { Assessment } from '#contract/assessments.ts'
import { SPORT } from '#contract/constants.ts'
import type { ProfileWithAssessments } from '#contract/users.ts'

/** Sample data. Names are the same in every language. */

export const SOMEBODY: ProfileWithAssessments = {
  userId: 'gallery',
  userTypeCode: 'player',
  firstName: 'Maya',
  lastName: 'Lindqvist',
  email: 'maya.lindqvist@demo.test',
  cityId: 'Lyon',
  countryId: 'France',
  gender: 'female',
  birthDate: '2006-03-01',
  preferredPosition: { id: 'goalkeeper', name: 'goalkeeper' },
  sport: SPORT,
  hasProfilePicture: false,
  teams: [],
  assessmentInstances: [],
}

/** As long as names get, with few places to break. */
export const LONG_NAME = 'Wilhelmina-Konstantina Papadopoulou-Featherstonehaugh'
export const LONG_EMAIL = 'wilhelmina.konstantina.papadopoulou.featherstonehaugh@long-domain.demo.test'

export const ASSESSMENT: Assessment = {
  assessmentId: 'touchline-profile',
  name: 'Touchline Profile<sup>2</sup>',
  tagline: 'Touchline',
  description: 'Touchline Profile',
  estimatedTimeMinutes: 25,
  price: { unitAmount: 4900, currency: 'usd' },
  originalPrice: null,
  currencyCode: 'usd',
  prices: [
    { id: 'regular', unitAmount: 6900, currency: 'usd', nickname: null },
    { id: 'discount', unitAmount: 4900, currency: 'usd', nickname: 'discount' },
  ],
  sampleReportFilename: 'assessmentSampleReportImpact.pdf',
}
