/** Parts of the questionnaire that few people ever see: the first question does not wait for them, and the service worker stores them. */
export const loadRefusedAnswers = () => import('./refused-answers.tsx')
export const loadCannotSend = () => import('#app/parts/assessment/cannot-send.tsx')
export const loadLateAnswers = () => import('./late-answers.tsx')
