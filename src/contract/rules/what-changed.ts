/**
 * When two results of one player may be called different. Nobody answers twice alike: a difference within these bands says nothing about
 * the player. `npm run instrument` derives them: each is the same multiple of the standard error of a difference (SEM × √2), large enough
 * that of invented players whose traits are the same, at most 5 % are told of any change on any of the four axes of letters and two of the
 * learning styles, even with the day-to-day swing that docs/instrument.md assumes. A multiple of 1.96 would tell every fourth.
 */

/** Choices for one pole, of 11: only a larger difference is a change. */
export const LETTER_CHANGE_ERROR = 6

/** Points on an axis of the learning styles, −36 to 36. */
export const STYLE_CHANGE_ERROR = 23
