import { EmailText } from '#app/parts/person/email-text.tsx'
import { LONG_EMAIL, SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () => <EmailText email={SOMEBODY.email} />,
  Empty: () => <EmailText email={null} />,
  LongWords: () => (
    <p className="gallery-narrow">
      <EmailText email={LONG_EMAIL} />
    </p>
  ),
}
