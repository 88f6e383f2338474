/**
 * Calls back when Back or Forward shows this page as it was left, with all its state (the browser's back/forward cache): meanwhile other pages
 * of the tab may have changed what it shows, and it has heard nothing.
 * @returns stops it
 */
export function onReturn(run: () => void): () => void {
  const listener = ({ persisted }: PageTransitionEvent) => {
    if (persisted) run()
  }
  addEventListener('pageshow', listener)
  return () => removeEventListener('pageshow', listener)
}
