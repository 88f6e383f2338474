/** The mark: a touchline, the arc of a corner, and the one who stands there. The same lines as public/icons. */
export function BrandMark({ size = 32 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round">
      <path d="M7 3v26M7 25h22M7 13a12 12 0 0 1 12 12" />
      <circle cx="21" cy="10" r="3" fill="currentColor" stroke="none" />
    </svg>
  )
}
