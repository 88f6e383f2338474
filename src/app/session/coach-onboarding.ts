/** What a coach typed before there was an account (ONBOARD-3): applied to the profile on the first dashboard. */
import { removeStored, storeForADay, readUnexpired } from './expiring-storage.ts'

interface CoachOnboarding {
  firstName: string
  lastName: string
  email: string
  country: string
  city: string
}

const key = 'coachOnboardingData'
const source = 'coachOnboarding'

/** Stored in session storage (ONBOARD-3), and in a copy that survives the app being killed while the code is read in Mail (LOGIN-16). */
export function storeCoachOnboarding(data: CoachOnboarding): void {
  const text = JSON.stringify({ ...data, source })
  sessionStorage.setItem(key, text)
  void storeForADay(key, text)
}

/** Complete data from onboarding, or undefined; incomplete or unparsable data is removed. ONBOARD-4 */
export function readCoachOnboarding(): CoachOnboarding | undefined {
  const text = sessionStorage.getItem(key) ?? readUnexpired(key)
  if (!text) return undefined
  const data = parse(text)
  if (!data) removeCoachOnboarding()
  return data
}

export function removeCoachOnboarding(): void {
  sessionStorage.removeItem(key)
  removeStored(key)
}

function parse(text: string): CoachOnboarding | undefined {
  try {
    const { firstName, lastName, email, country, city, source: from } = JSON.parse(text) as Record<string, unknown>
    const data = { firstName, lastName, email, country, city }
    const isWhole = from === source && Object.values(data).every((value) => typeof value === 'string' && value !== '')
    return isWhole ? (data as CoachOnboarding) : undefined
  } catch {
    return undefined
  }
}
