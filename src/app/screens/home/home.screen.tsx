/** /: the dashboard, by role. §2, ruling 32 */
import { useSession } from '#app/session/use-session.ts'
import { CoachDashboard } from './coach-dashboard.tsx'
import { PlayerDashboard } from './player-dashboard.tsx'

export default function HomeScreen() {
  const { userTypeCode } = useSession()
  return userTypeCode === 'coach' ? <CoachDashboard /> : <PlayerDashboard />
}
