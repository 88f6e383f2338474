/** The kinds of account that sign in to the portal. Without zod, as it is read before the first paint. SESSION-1 */
export const USER_TYPE_CODES = ['player', 'coach'] as const
export type UserTypeCode = (typeof USER_TYPE_CODES)[number]

export const isUserTypeCode = (value: unknown): value is UserTypeCode => USER_TYPE_CODES.some((code) => code === value)
