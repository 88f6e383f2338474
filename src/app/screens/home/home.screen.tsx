/** /: the dashboard, by role. HOME-1 */
import './home.css'
import '#app/screens/player/player.css'
import { lazy, useState, type ComponentType } from 'react'
import { session } from '#app/session/session.ts'
import { useSession } from '#app/session/use-session.ts'
import { orLost } from '#app/lost-part.ts'
import { PlayerDashboard, preparePlayerDashboard } from './player-dashboard.tsx'

// in a chunk of its own, so that players do not load the tables
let LoadedDashboard: ComponentType | undefined
const loadCoachDashboard = async () => {
  const { CoachDashboard } = await orLost(import('./coach-dashboard.tsx'))
  LoadedDashboard = CoachDashboard
  return { default: CoachDashboard }
}
const LazyDashboard = lazy(loadCoachDashboard)

/** Called by routes.tsx before the screen is drawn: loads the coach's dashboard, or starts the player's reads. */
export async function prepare(): Promise<void> {
  await (session.get().userTypeCode === 'coach' ? loadCoachDashboard() : preparePlayerDashboard())
}

export default function HomeScreen() {
  const { userTypeCode } = useSession()
  // if it is loaded, render it directly: React delays showing a component that has suspended
  const [CoachDashboard] = useState(() => LoadedDashboard ?? LazyDashboard)
  return userTypeCode === 'coach' ? <CoachDashboard /> : <PlayerDashboard />
}
