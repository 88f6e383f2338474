/** Key of the coach's list of players in the `reads` store: it exists on this device only. */
export const DRAFT_KEY = 'draft/assign-many'
