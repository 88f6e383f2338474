import { Avatar } from '#app/parts/person/avatar.tsx'
import { Reads } from '../../reads.tsx'
import { SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

const PICTURE = '/icons/icon-192.png'
const PERSON = { userId: SOMEBODY.userId, firstName: SOMEBODY.firstName, lastName: SOMEBODY.lastName, hasPicture: false }

export const states: States = {
  Default: () => <Avatar {...PERSON} />,
  Filled: () => (
    <Reads picture={PICTURE}>
      <Avatar {...PERSON} hasPicture />
      <Avatar {...PERSON} hasPicture size="large" />
    </Reads>
  ),
  Empty: () => <Avatar {...PERSON} firstName={null} lastName={null} size="large" />,
}
