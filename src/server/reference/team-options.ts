import type { reference } from '#contract/reference.ts'
import type { Handler } from '../http/handler.ts'

/** Labels; the portal makes the values from them (PROFILE-32). */
export const teamOptions: Handler<typeof reference.teamOptions> = async () => ({
  clubType: ['Amateur Club', 'Professional Club', 'Academy', 'School', 'University', 'National Team', 'Other'],
  teamGender: ['Male', 'Female', 'Mixed'],
  ageGroup: ['U8', 'U9', 'U10', 'U11', 'U12', 'U13', 'U14', 'U15', 'U16', 'U17', 'U18', 'U19', 'U20', 'U21', 'U23', 'Senior', 'Veteran'],
})
