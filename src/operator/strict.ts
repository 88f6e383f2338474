import type { Command } from 'commander'
import { EXIT, ExitError } from './exit.ts'

/**
 * Refuses an empty value (a shell variable that is not set), one that is another option (the value was forgotten), and an
 * option with two values, of which one would be ignored.
 */
export function requireOneValueEach(command: Command): void {
  const all = command.createHelp().visibleOptions(command)
  const names = new Set(all.flatMap(({ long, short }) => [long, short]))
  for (const option of command.options.filter(({ required }) => required)) {
    let isGiven = false
    command.on(`option:${option.name()}`, (value: string) => {
      if (value.trim() === '') throw new ExitError(`--${option.name()} is empty: give it a value, or leave it out.`, EXIT.usage)
      if (names.has(value))
        throw new ExitError(
          `--${option.name()} needs a value, and ${value} is an option: if that is the name of a file or folder, write ./${value}.`,
          EXIT.usage,
        )
      if (isGiven) throw new ExitError(`--${option.name()} is given twice: give it once.`, EXIT.usage)
      isGiven = true
    })
  }
  command.hook('preAction', (_command, acting) => {
    const empty = acting.registeredArguments.find((_argument, index) => acting.args[index]?.trim() === '')
    if (empty) throw new ExitError(`<${empty.name()}> is empty: name it.`, EXIT.usage)
  })
  for (const one of command.commands) requireOneValueEach(one)
}
