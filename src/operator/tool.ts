/** What a command works with. */
export interface Tool {
  environment: Record<string, string | undefined>
  /** prints the command's result */
  print: (line: string) => void
  /** prints what is not the result: progress, warnings */
  warn: (line: string) => void
  now: () => Date
}
