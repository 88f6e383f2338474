import { expect, test } from 'vitest'
import { isActive, isExpandedIn, isToggleKey, sidebarCookie } from '#app/shell/sidebar-state.ts'

test.each<[string, string, boolean]>([
  ['/', '/', true],
  ['/profile', '/', false],
  ['/profile', '/profile', true],
  ['/profile/photo', '/profile', true],
  ['/about', '/profile', false],
])('at %s the item of %s is active: %s', (path, url, isIt) => {
  expect(isActive(path, url)).toBe(isIt)
})

test('the cookie stores the state for 7 days, and without it the width decides', () => {
  expect(sidebarCookie(false)).toBe('sidebar:state=false; path=/; max-age=604800; samesite=lax')
  expect(isExpandedIn('a=1; sidebar:state=false', 1280)).toBe(false)
  expect(isExpandedIn('sidebar:state=true; a=1', 820)).toBe(true)
  expect([820, 1023, 1024, 1280].map((width) => isExpandedIn('', width))).toEqual([false, false, true, true])
})

test('Ctrl or Meta plus b toggles the sidebar, but not while typing', () => {
  const key = { key: 'b', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  expect(isToggleKey({ ...key, ctrlKey: true }, false)).toBe(true)
  expect(isToggleKey({ ...key, metaKey: true, key: 'B' }, false)).toBe(true)
  expect(isToggleKey({ ...key, ctrlKey: true }, true)).toBe(false)
  expect(isToggleKey(key, false)).toBe(false)
  expect(isToggleKey({ ...key, ctrlKey: true, shiftKey: true }, false)).toBe(false)
})
