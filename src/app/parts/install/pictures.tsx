/** What the browser's own buttons look like. Hidden from screen readers: each stands beside its name. */
import type { ReactNode } from 'react'

function Picture({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      width="40"
      height="40"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}

/** Safari's Share: an arrow out of a tray. */
export const ShareIcon = () => (
  <Picture>
    <path d="M8.5 9H6.5v11.5h11V9h-2M12 14.5V3m-3.5 3.5L12 3l3.5 3.5" />
  </Picture>
)

/** A plus in a square, as in the browsers' "Add to Home Screen". */
export const AddIcon = () => (
  <Picture>
    <rect x="4" y="4" width="16" height="16" rx="3.5" />
    <path d="M12 8.5v7M8.5 12h7" />
  </Picture>
)

/** Firefox's menu. */
export const DotsIcon = () => (
  <Picture>
    <path d="M12 5.5v.01M12 12v.01M12 18.5v.01" strokeWidth="3" />
  </Picture>
)

/** A phone's home screen with the app's icon on it. */
export const HomeScreenPicture = () => (
  <Picture>
    <rect x="5.5" y="2" width="13" height="20" rx="2.5" />
    <rect x="8" y="5" width="3.4" height="3.4" rx="0.9" fill="currentColor" />
    <rect x="12.8" y="5" width="3.4" height="3.4" rx="0.9" strokeWidth="1" />
    <rect x="8" y="10" width="3.4" height="3.4" rx="0.9" strokeWidth="1" />
    <rect x="12.8" y="10" width="3.4" height="3.4" rx="0.9" strokeWidth="1" />
    <path d="M10.5 19.5h3" strokeWidth="1.2" />
  </Picture>
)

/** A Mac's screen with the app's icon in the Dock. */
export const DockPicture = () => (
  <Picture>
    <rect x="2" y="4" width="20" height="14" rx="2" />
    <path d="M9 21h6" strokeWidth="1.2" />
    <rect x="6" y="12.5" width="3" height="3" rx="0.8" fill="currentColor" />
    <rect x="10.5" y="12.5" width="3" height="3" rx="0.8" strokeWidth="1" />
    <rect x="15" y="12.5" width="3" height="3" rx="0.8" strokeWidth="1" />
  </Picture>
)
