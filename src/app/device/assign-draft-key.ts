/** Of the coach's list of players among the stored reads: work that nobody has but this device. */
export const DRAFT_KEY = 'draft/assign-many'
