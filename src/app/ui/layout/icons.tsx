/** The icons that the sign-in does without: it must load few bytes. */
import { Icon } from './icon.tsx'

export const HomeIcon = () => (
  <Icon>
    <path d="M3 11.5 12 4l9 7.5M6 9.5V20h12V9.5" />
  </Icon>
)

export const PersonIcon = () => (
  <Icon>
    <circle cx="12" cy="8" r="4" />
    <path d="M4 21c1-4.5 4-6.5 8-6.5s7 2 8 6.5" />
  </Icon>
)

export const DeviceIcon = () => (
  <Icon>
    <rect x="6" y="2.5" width="12" height="19" rx="2.5" />
    <path d="M11 18h2" />
  </Icon>
)

export const AboutIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v6M12 7.5v.01" />
  </Icon>
)

export const SignOutIcon = () => (
  <Icon>
    <path d="M14 4H5v16h9M10 12h11m-4-4 4 4-4 4" />
  </Icon>
)

export const MenuIcon = () => (
  <Icon>
    <path d="M4 6h16M4 12h16M4 18h16" />
  </Icon>
)

export const SidebarIcon = () => (
  <Icon>
    <rect x="3" y="4" width="18" height="16" rx="2" />
    <path d="M9 4v16" />
  </Icon>
)

export const CloseIcon = () => (
  <Icon>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
)

export const BackIcon = () => (
  <Icon>
    <path d="M20 12H4m6-6-6 6 6 6" />
  </Icon>
)

export const FirstIcon = () => (
  <Icon>
    <path d="M6 5v14M18 6l-6 6 6 6" />
  </Icon>
)

export const PreviousIcon = () => (
  <Icon>
    <path d="m15 6-6 6 6 6" />
  </Icon>
)

export const NextIcon = () => (
  <Icon>
    <path d="m9 6 6 6-6 6" />
  </Icon>
)

export const LastIcon = () => (
  <Icon>
    <path d="M18 5v14M6 6l6 6-6 6" />
  </Icon>
)

export const MinusIcon = () => (
  <Icon>
    <path d="M5 12h14" />
  </Icon>
)

export const PlusIcon = () => (
  <Icon>
    <path d="M5 12h14M12 5v14" />
  </Icon>
)
