/** Parts of the questionnaire that few ever see: nobody's first question waits for them, and the worker has them stored. */
export const loadNotSent = () => import('./refused-answers.tsx')
export const loadCannotSend = () => import('#app/parts/cannot-send.tsx')
export const loadLateAnswers = () => import('./late-answers.tsx')
