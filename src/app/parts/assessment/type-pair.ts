interface Results {
  Section1: { result: string }
  section2: { label: string }
}

/** Learning style and personality type joined by a space, as "Scout ENFP"; '' without either. RESULTS-3, TEAM-6 */
export function typePair(results: Results | null | undefined): string {
  return [results?.Section1.result, results?.section2.label].filter(Boolean).join(' ')
}
