/** That the server ended the session of this tab, and why, until a screen has said so. */

let isEnded = false
/** when closing the account got no reply, by `performance.now`; undefined if it is known what became of it */
let closingLostAt: number | undefined

export const serverEnd = {
  note(): void {
    isEnded = true
  },
  /** Somebody is signed in: how that session ends is not known yet. */
  forget(): void {
    isEnded = false
  },
  /** Why the server ended the session, if it did: the person must sign in again, or the account is closed. Returned once. */
  take(): 'ended' | 'closed' | undefined {
    if (!isEnded) return undefined
    isEnded = false
    return closingLostAt === undefined ? 'ended' : 'closed'
  },
  /** Closing the account was requested and its reply may be lost: if the session ends before a later call is taken, the reason is 'closed'. */
  noteClosing(isClosing: boolean): void {
    closingLostAt = isClosing ? performance.now() : undefined
  },
  /** Whether an attempt to close the account may have closed it. */
  mayBeClosed: () => closingLostAt !== undefined,
  /** @param sentAt when a call was sent that the server took, by `performance.now` */
  noteAccepted(sentAt: number): void {
    if (closingLostAt !== undefined && sentAt > closingLostAt) closingLostAt = undefined
  },
}
