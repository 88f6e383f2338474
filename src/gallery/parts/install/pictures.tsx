import { AddIcon, DockPicture, DotsIcon, HomeScreenPicture, ShareIcon } from '#app/parts/install/pictures.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () => (
    <>
      <ShareIcon />
      <AddIcon />
      <DotsIcon />
      <HomeScreenPicture />
      <DockPicture />
    </>
  ),
}
