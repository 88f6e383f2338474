/** Parts of the questionnaire that few people ever see: loaded when needed, so that the first question does not wait for them. */
export const loadRefusedAnswers = () => import('./refused-answers.tsx')
export const loadCannotSend = () => import('#app/parts/assessment/cannot-send.tsx')
export const loadLateAnswers = () => import('./late-answers.tsx')
export const loadAnswerDoubts = () => import('#app/screens/assessment/doubts/answer-doubts.tsx')
