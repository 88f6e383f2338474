/**
 * Where mails to an address arrive: most mail servers put those to name+anything into name's. Mails are counted by it; an
 * account is its whole address.
 */
export function mailboxOf(emailNormal: string): string {
  return emailNormal.replace(/^([^+]+)\+[^@]*@/, '$1@')
}
