import { loadAreas } from '#app/i18n/i18n.ts'

/** Parts of the sign-in that few people ever see: loaded when needed, so that no guest waits for what stores answers. */
export async function loadWaitsHere() {
  const [module] = await Promise.all([import('./waits-here.tsx'), loadAreas(['device'])])
  return module
}
export const loadNewCode = () => import('./new-code.tsx')
export const loadNotKept = () => import('./not-kept.tsx')
