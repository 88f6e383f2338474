/** What installing and the installed app need beside the screens. Loaded last, for guests too. */
import { followLaunches } from './launches.ts'
import { followManifestLanguage } from './manifest-language.ts'
import { offerStartImages } from './start-images.ts'

/** Called once, by main.tsx. */
export function startInstallable(): void {
  followManifestLanguage()
  followLaunches()
  offerStartImages().catch((error: unknown) => console.warn('Could not make a start image', error))
}
