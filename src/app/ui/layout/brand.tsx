/** The logo of public/icons in thin lines: touchline, half-way line with half a circle, and a player above. */
export function BrandMark({ size = 32 }: { size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
    >
      <path d="M3 13.5 29 12.5M16 13v16M7 28.5a9 9 0 0 1 18 0" />
      <circle cx="16" cy="6" r="3" className="brand-dot" />
    </svg>
  )
}
