/** An e-mail address that wraps before its @ where space is narrow. '-' if missing (PROFILE-33). */
export function EmailText({ email }: { email: string | null }) {
  if (!email) return '-'
  const at = email.lastIndexOf('@')
  return at < 1 ? (
    email
  ) : (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  )
}
