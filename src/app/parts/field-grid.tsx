import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** Fields in one column, in two where there is room. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }, alignItems: 'start' }}
    >
      {children}
    </Box>
  )
}
