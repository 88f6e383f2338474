/**
 * The mailbox of an address: most mail servers deliver name+anything to name. Mails are counted by mailbox; an account is its
 * whole address.
 */
export function mailboxOf(emailNormal: string): string {
  return emailNormal.replace(/^([^+]+)\+[^@]*@/, '$1@')
}
