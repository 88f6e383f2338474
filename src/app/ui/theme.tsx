/**
 * MUI on the tokens of tokens.css, which also switch light, dark and high contrast: MUI only aliases them. Loaded by the
 * screens that use MUI and by nothing else (routes.tsx wraps them).
 */
import { createTheme, StyledEngineProvider, ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'

const token = (name: string) => `var(--${name})`

const theme = createTheme({
  cssVariables: { nativeColor: true, disableCssColorScheme: true },
  palette: {
    primary: { main: token('action'), dark: token('action-strong'), light: token('action'), contrastText: token('on-action') },
    secondary: { main: token('ink-soft'), dark: token('ink'), light: token('ink-soft'), contrastText: token('surface') },
    error: { main: token('refused'), dark: token('refused-strong'), light: token('refused'), contrastText: token('on-refused') },
    warning: { main: token('wait'), dark: token('wait'), light: token('wait-mark'), contrastText: token('wait-soft') },
    success: { main: token('action'), dark: token('action-strong'), light: token('action'), contrastText: token('on-action') },
    info: { main: token('calm'), dark: token('ink'), light: token('calm'), contrastText: token('surface') },
    text: { primary: token('ink'), secondary: token('ink-soft'), disabled: token('calm') },
    background: { default: token('ground'), paper: token('surface') },
    divider: token('line'),
    action: {
      active: token('ink-soft'),
      hover: token('calm-soft'),
      selected: token('action-soft'),
      disabled: token('calm'),
      disabledBackground: token('calm-soft'),
      focus: token('calm-soft'),
    },
  },
  typography: {
    fontFamily: token('font'),
    htmlFontSize: 16,
    button: { textTransform: 'none', fontWeight: 600 },
  },
  shape: { borderRadius: 8 },
  spacing: 8,
  transitions: {
    duration: { shortest: 150, shorter: 150, short: 150, standard: 150, complex: 150, enteringScreen: 150, leavingScreen: 150 },
  },
  components: {
    // One look of focus in the whole app, base.css; a ripple is motion that says nothing.
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiButton: { defaultProps: { disableElevation: true }, styleOverrides: { root: { minHeight: token('target') } } },
    MuiIconButton: { styleOverrides: { root: { minWidth: token('target'), minHeight: token('target') } } },
    MuiOutlinedInput: {
      styleOverrides: {
        root: { minHeight: token('target'), background: token('surface') },
        notchedOutline: { borderColor: token('line-strong') },
        input: { paddingBlock: '0.65rem' },
      },
    },
    MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiTableCell: { styleOverrides: { root: { fontVariantNumeric: 'tabular-nums', borderColor: token('line') } } },
    // §9
    MuiTooltip: { defaultProps: { enterDelay: 700, enterTouchDelay: 700 } },
  },
})

export function Theme({ children }: { children: ReactNode }) {
  return (
    <StyledEngineProvider enableCssLayer>
      <ThemeProvider theme={theme}>{children}</ThemeProvider>
    </StyledEngineProvider>
  )
}
