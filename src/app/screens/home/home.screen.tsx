/** /: the dashboard, by role. HOME-1 */
import './home.css'
import '#app/screens/player/player.css'
import { lazy, Suspense, useState, type ComponentType } from 'react'
import { session } from '#app/session/session.ts'
import { useSession } from '#app/session/use-session.ts'
import { PageSkeleton } from '#app/ui/layout/skeletons.tsx'
import { PlayerDashboard, preparePlayerDashboard } from './player-dashboard.tsx'

// no player loads the tables
let Loaded: ComponentType | undefined
const loadCoachDashboard = async () => {
  const { CoachDashboard } = await import('./coach-dashboard.tsx')
  Loaded = CoachDashboard
  return { default: CoachDashboard }
}
const Later = lazy(loadCoachDashboard)

/** Loads alongside the screen, not after it. */
export async function prepare(): Promise<void> {
  await (session.get().userTypeCode === 'coach' ? loadCoachDashboard() : preparePlayerDashboard())
}

export default function HomeScreen() {
  const { userTypeCode } = useSession()
  // if it is loaded already, draw it directly: React delays showing what has suspended
  const [CoachDashboard] = useState(() => Loaded ?? Later)
  if (userTypeCode !== 'coach') return <PlayerDashboard />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <CoachDashboard />
    </Suspense>
  )
}
