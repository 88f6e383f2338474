import type { ComponentType } from 'react'

/** The states a component is shown in; their texts are the keys `State…` of `locales/en/gallery.json`. */
export type StateName =
  | 'Default'
  | 'Filled'
  | 'Primary'
  | 'Quiet'
  | 'Dangerous'
  | 'Disabled'
  | 'ReadOnly'
  | 'Busy'
  | 'Loading'
  | 'Error'
  | 'Empty'
  | 'Done'
  | 'Many'
  | 'LongWords'

export type States = Partial<Record<StateName, ComponentType>>
