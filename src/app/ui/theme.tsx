/**
 * The MUI theme. Its values refer to the tokens of tokens.css, which switch between light, dark and high contrast. Loaded by the
 * screens that use MUI (routes.tsx wraps them), and with the first dialog or toast (on-demand.ts).
 */
import GlobalStyles from '@mui/material/GlobalStyles'
import { createTheme, StyledEngineProvider, ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { TOOLTIP_DELAY_MS } from '../constants.ts'

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
  motion: { reducedMotion: 'system' },
  components: {
    // no ripple: the app's only focus style is in base.css
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiButton: { defaultProps: { disableElevation: true }, styleOverrides: { root: { minHeight: token('target') } } },
    MuiIconButton: {
      styleOverrides: {
        root: { minWidth: token('target'), minHeight: token('target'), borderRadius: token('radius'), color: token('ink-soft') },
      },
    },
    MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiTableCell: { styleOverrides: { root: { fontVariantNumeric: 'tabular-nums', borderColor: token('line') } } },
    MuiTooltip: { defaultProps: { enterDelay: TOOLTIP_DELAY_MS, enterTouchDelay: TOOLTIP_DELAY_MS } },

    // labels are above their fields, so that they do not move and are not cut off
    MuiFormControl: { styleOverrides: { root: { gap: token('space-half') } } },
    MuiFormLabel: {
      styleOverrides: {
        root: {
          color: token('ink'),
          fontWeight: 600,
          lineHeight: token('leading'),
          '&.Mui-focused, &.Mui-error, &.Mui-disabled': { color: token('ink') },
        },
        asterisk: { '&.Mui-error': { color: 'inherit' } },
      },
    },
    MuiFormHelperText: {
      styleOverrides: {
        root: {
          margin: 0,
          color: token('ink-soft'),
          fontSize: token('text-small'),
          lineHeight: token('leading'),
          '&.Mui-disabled': { color: token('ink-soft') },
          '&.Mui-error': { color: token('refused'), fontSize: token('text'), fontWeight: 600 },
        },
      },
    },
    MuiOutlinedInput: {
      styleOverrides: {
        root: {
          minHeight: token('target'),
          background: token('surface'),
          ...outlines('', { borderColor: token('line-strong'), borderWidth: `max(${token('edge')}, 1px)` }),
          ...outlines('.Mui-error', { borderColor: token('refused'), borderWidth: '2px' }),
          ...outlines('.Mui-disabled', { borderStyle: 'dashed' }),
          '&.Mui-disabled, &.MuiInputBase-readOnly': { background: token('calm-soft') },
        },
        input: { height: 'auto', padding: `0.6875rem ${token('space-2')}`, lineHeight: token('leading') },
      },
    },
    MuiNativeSelect: {
      styleOverrides: {
        select: { '&&&': { paddingInlineEnd: token('target') } },
        icon: { insetInlineEnd: '0.75rem', color: token('ink-soft') },
      },
    },
    MuiAutocomplete: {
      styleOverrides: {
        root: {
          '& .MuiOutlinedInput-root': {
            padding: 0,
            '.MuiAutocomplete-hasPopupIcon&': { paddingRight: token('target') },
            '.MuiAutocomplete-hasPopupIcon.MuiAutocomplete-hasClearIcon&': { paddingRight: `calc(2 * ${token('target')})` },
            '& .MuiAutocomplete-input': { padding: `0.6875rem ${token('space-2')}` },
            '& .MuiAutocomplete-endAdornment': { right: 0 },
          },
        },
        clearIndicator: { marginRight: 0, visibility: 'visible' },
        popupIndicator: { marginRight: 0 },
        paper: {
          marginBlock: token('space-half'),
          border: `${token('edge')} solid ${token('line-strong')}`,
          boxShadow: token('shadow'),
        },
        listbox: {
          maxHeight: '19rem',
          overscrollBehavior: 'contain',
          '& .MuiAutocomplete-option': {
            minHeight: token('target'),
            '&.Mui-focused, &.Mui-focusVisible': { backgroundColor: token('calm-soft') },
            '&.Mui-focusVisible': { outline: `3px solid ${token('ink')}`, outlineOffset: '-3px' },
            '&[aria-selected="true"]': {
              fontWeight: 600,
              '&, &.Mui-focused, &.Mui-focusVisible': { backgroundColor: token('action-soft') },
            },
          },
        },
      },
    },

    // dialogs and toasts
    MuiBackdrop: { styleOverrides: { root: { backgroundColor: token('shade') } } },
    MuiDialog: {
      styleOverrides: {
        // as high as the window; a container, as rem in a media query ignores the text size
        container: { containerType: 'size', '@media print': { containerType: 'normal' } },
        paper: {
          width: `calc(100% - 2 * ${token('space-2')})`,
          maxWidth: '34rem',
          maxHeight: `calc(100% - 2 * ${token('space-2')})`,
          margin: token('space-2'),
          border: `${token('edge')} solid ${token('line-strong')}`,
          borderRadius: token('radius-large'),
          boxShadow: token('shadow'),
          // in a window too low for its text the title would leave little room for the content, so it scrolls with it
          '@container (height < 32rem)': {
            overflowY: 'auto',
            '& > .MuiDialogContent-root': { flex: 'none', overflow: 'visible' },
          },
        },
      },
    },
    MuiDialogTitle: {
      styleOverrides: {
        root: {
          padding: `${token('space-3')} ${token('space-3')} ${token('space-2')}`,
          fontSize: token('text-title'),
          fontWeight: 700,
          lineHeight: token('leading-tight'),
        },
      },
    },
    MuiDialogContent: { styleOverrides: { root: { padding: `0 ${token('space-3')} ${token('space-3')}` } } },
    MuiDialogActions: {
      defaultProps: { disableSpacing: true },
      styleOverrides: {
        root: {
          flexWrap: 'wrap',
          gap: token('space-1'),
          padding: `0 ${token('space-3')} ${token('space-3')}`,
          '@media (max-width: 480px)': { '& > *, & > * > .button': { flex: '1 1 100%', width: '100%' } },
        },
      },
    },
    MuiSnackbar: {
      defaultProps: { anchorOrigin: { vertical: 'bottom', horizontal: 'center' } },
      styleOverrides: { root: { bottom: `calc(${token('space-2')} + env(safe-area-inset-bottom))` } },
    },
    MuiSnackbarContent: {
      styleOverrides: {
        root: {
          flexWrap: 'nowrap',
          width: `min(30rem, 100vw - 2 * ${token('space-2')})`,
          padding: `0 ${token('space-1')} 0 ${token('space-2')}`,
          border: `${token('edge')} solid ${token('line-strong')}`,
          borderInlineStart: `6px solid ${token('action')}`,
          background: token('surface'),
          color: token('ink'),
          fontSize: token('text'),
          boxShadow: token('shadow'),
          touchAction: 'pan-y',
          userSelect: 'none',
          '&.refused': { borderInlineStartColor: token('refused') },
        },
        // leaves room for the field that it is about, however low the window
        message: { overflowWrap: 'anywhere', overflowY: 'auto', maxHeight: '30dvh' },
        action: { marginRight: 0, paddingLeft: token('space-1') },
      },
    },
  },
})

/** The same outline on hover and focus, where MUI would change it: base.css shows the focus. */
function outlines(stateClass: string, styles: Record<string, string>) {
  const selectors = ['', ':hover', '.Mui-focused'].map((state) => `&${stateClass}${state} .MuiOutlinedInput-notchedOutline`)
  return { [selectors.join()]: styles }
}

export function Theme({ children }: { children: ReactNode }) {
  return (
    <StyledEngineProvider enableCssLayer>
      {/* sets the order of the layers: MUI's style sheet is inserted before base.css, so its layer would come first */}
      <GlobalStyles styles="@layer base, mui;" />
      <ThemeProvider theme={theme}>{children}</ThemeProvider>
    </StyledEngineProvider>
  )
}
