import { Command, CommanderError } from 'commander'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { trustAuthorities } from '#server/authorities.ts'
import { EXIT, ExitError, textOf } from './exit.ts'
import type { Rotation } from './make-keys.ts'
import { printToStandardOutput } from './standard-output.ts'
import { requireOneValueEach } from './strict.ts'
import type { Tool } from './tool.ts'

/** The commands of `npx touchline`, their options and their help. Each loads its own part when it runs. */

const FOOTER = `
Exit codes: 0 done, 1 refused or failed (nothing was changed unless it says so), 2 wrong command line or settings,
3 the server or the database did not reply, 9 (from npx) the file of --env-file cannot be read.

The settings are those of the server: from the environment, or from a file with --env-file.`

/** Resolves to the exit code. */
export async function run(args: readonly string[], tool: Tool = ourTool()): Promise<number> {
  const result = { exit: EXIT.done as number }
  const program = programOf(tool, (exit) => (result.exit = exit))
  try {
    await program.parseAsync(args, { from: 'user' })
    return result.exit
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    if (error instanceof ExitError) {
      tool.warn(error.message)
      return error.exit
    }
    tool.warn(textOf(error))
    return EXIT.failed
  }
}

function ourTool(): Tool {
  return { environment: process.env, print: printToStandardOutput(), warn: (line) => console.error(line), now: () => new Date() }
}

function programOf(base: Tool, finish: (exit: number) => void): Command {
  const program = new Command('touchline')
    .description("The operator's tool of Touchline.")
    .option('--env-file <file>', 'settings, as in .env.example; those of the environment come first')
    .showHelpAfterError('Run with --help for usage.')
    .exitOverride()
    .addHelpText('after', FOOTER)
    .configureOutput({ writeOut: (text) => base.print(text.trimEnd()), writeErr: (text) => base.warn(text.trimEnd()) })

  /** with the settings of --env-file */
  const tool = (): Tool => {
    const { envFile } = program.opts<{ envFile?: string }>()
    if (envFile === undefined) return base
    const settings = readSettingsFile(envFile)
    const environment = { ...settings, ...base.environment }
    trust(environment['NODE_EXTRA_CA_CERTS'])
    return { ...base, environment }
  }
  addInstallation(program, tool, finish)
  addAccounts(program, tool)
  requireOneValueEach(program)
  return program
}

function trust(authorities: string | undefined): void {
  try {
    trustAuthorities(authorities)
  } catch (error) {
    throw new ExitError(textOf(error), EXIT.usage)
  }
}

function readSettingsFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ExitError(`--env-file ${path} cannot be read: ${textOf(error)}`, EXIT.usage)
  }
}

const PG_BIN = ['--pg-bin <folder>', "PostgreSQL's own programs; by default the newest that is found"] as const
const SERVER = ['--server <address>', 'of the running server; by default the one of these settings, on this machine'] as const

/** Commands about the installation and its data. */
function addInstallation(program: Command, tool: () => Tool, finish: (exit: number) => void): void {
  program
    .command('doctor')
    .description(
      'Check the settings and everything they name: database, mail, card provider, object store, address, disk, clock. Changes nothing.',
    )
    .option('--json', 'print {isHealthy, findings: [{level, setting, message}]}')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { doctor } = await import('./doctor/doctor.ts')
      finish(await doctor(tool(), { json }))
    })

  program
    .command('keys')
    .description('Make all secrets as lines for .env, or add new ones to the present ones.')
    .option('--rotate', 'new signing, audit and bounce keys come first and the old ones still verify; a new OPERATOR_KEY; the rest stays')
    .option('--prepare', 'with several server processes: add the new keys second, so that all processes know them before one uses them')
    .option('--promote', 'then move the second keys to the front')
    .option(
      '--from <file>',
      'settings with the present keys, for --rotate, --prepare or --promote; by default the environment or --env-file',
    )
    .option('--out <file>', 'write there, for its owner only, instead of printing')
    .action(async ({ rotate, prepare, promote, from, out }: Record<string, string | boolean | undefined>) => {
      const chosen = Object.entries({ rotate, prepare, promote }).flatMap(([name, is]) => (is === true ? [name] : []))
      if (chosen.length > 1) throw new ExitError(`Choose one of --${chosen.join(' and --')}.`, EXIT.usage)
      const { makeKeys } = await import('./make-keys.ts')
      if (chosen.length === 0 && from !== undefined)
        throw new ExitError(
          '--from needs --rotate, --prepare or --promote: without one, all keys are new, and every session would end.',
          EXIT.usage,
        )
      const [rotation] = chosen as Rotation[] // the names above
      await makeKeys(tool(), { rotation, from: from as string | undefined, out: out as string | undefined }) // both take a value
    })

  program
    .command('backup')
    .description('Copy the database, and what belongs to it, into a new folder. The server keeps running.')
    .option('--to <folder>', 'where the new folder is made', 'backups')
    .option(...SERVER)
    .option(...PG_BIN)
    .option('--json', 'print {folder, manifest}')
    .action(async ({ json = false, ...options }: { json?: boolean; to?: string; server?: string; pgBin?: string }) => {
      const { backup } = await import('./backup/backup.ts')
      const made = await backup(tool(), options)
      if (json) tool().print(JSON.stringify(made))
      else {
        tool().print(made.folder)
        for (const sentence of made.manifest.elsewhere) tool().warn(sentence)
      }
    })

  program
    .command('restore')
    .description('Put a backup into an empty database, all or nothing, and bring it to the schema of this build. Stop the servers first.')
    .argument('<backup>', 'folder of the backup')
    .option('--replace', 'delete what is there', false)
    .option('--check', 'only verify the backup, and whether it can be restored here', false)
    .option(...PG_BIN)
    .option('--json', 'print {folder, at, isRestored}')
    .action(async (folder: string, { json = false, ...options }: { json?: boolean; replace: boolean; check: boolean; pgBin?: string }) => {
      const { restore } = await import('./backup/restore.ts')
      const { at, isRestored } = await restore(tool(), folder, options)
      if (json) return tool().print(JSON.stringify({ folder, at, isRestored }))
      tool().print(
        isRestored ? `Restored ${folder}, as of ${at}. The server can be started.` : `${folder} is whole and can be restored here.`,
      )
    })

  program
    .command('upgrade')
    .description(
      'Bring the database to the schema of this build, after a backup. A server of this build does the same at its start, without a backup.',
    )
    .option('--dry-run', 'run the migrations and roll them back, to see whether they would succeed', false)
    .option('--no-backup', 'make none')
    .option('--to <folder>', 'where the backup is made', 'backups')
    .option(...PG_BIN)
    .option('--json', 'print {migrations, isUpgraded, backup}')
    .action(
      async ({
        json = false,
        dryRun,
        backup,
        ...options
      }: {
        json?: boolean
        dryRun: boolean
        backup: boolean
        to?: string
        pgBin?: string
      }) => {
        const { upgrade } = await import('./backup/upgrade.ts')
        const done = await upgrade(tool(), { ...options, isRehearsal: dryRun, hasBackup: backup })
        if (json) return tool().print(JSON.stringify(done))
        if (dryRun) tool().print('Everything ran and was rolled back: nothing was changed.')
        else if (done.isUpgraded) tool().print(`Upgraded: ${done.migrations.join(', ')}. The server of this build can be started.`)
        else tool().print('Nothing to do.')
      },
    )
}

/** Commands about people, by calls to the running server. */
function addAccounts(program: Command, tool: () => Tool): void {
  const who = ['<person>', 'e-mail address or id of the account'] as const
  const about = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option(...SERVER)
  interface Options {
    server?: string
    out?: string
    yes?: boolean
    json?: boolean
  }

  about('export-person', 'Everything that is stored about one person, as JSON, for their request under data protection law.')
    .argument(...who)
    .option('--out <file>', 'write there, for its owner only, instead of printing')
    .action(async (person: string, { server, out }: Options) => {
      const { exportPerson } = await import('./accounts.ts')
      await exportPerson(tool(), person, { server, out })
    })

  about(
    'erase',
    'Close an account and erase its person at once, for good: profile, picture, answers, mails, sessions. Payments and nameless results stay.',
  )
    .argument(...who)
    .requiredOption('--yes', 'confirms that this cannot be undone')
    .action(async (person: string, { server }: Options) => {
      const { erase } = await import('./accounts.ts')
      await erase(tool(), person, server)
    })

  about('reopen', 'Open a closed account again, unchanged, within 30 days of its closing.')
    .argument(...who)
    .action(async (person: string, { server }: Options) => {
      const { reopen } = await import('./accounts.ts')
      await reopen(tool(), person, server)
    })

  about('resend', 'Send the invitations of an address again, also those whose mail failed. The limits of mails hold.')
    .argument('<email>', 'address that was invited')
    .option('--json', 'print [{instanceId, outcome}]')
    .action(async (email: string, { server, json = false }: Options) => {
      const { resend } = await import('./accounts.ts')
      await resend(tool(), email, { server, json })
    })

  about('block', 'Let nobody sign in with an e-mail address, end the sessions of its account, and send it no invitations. Deletes nothing.')
    .argument(...who)
    .action(async (person: string, { server }: Options) => {
      const { block } = await import('./accounts.ts')
      await block(tool(), person, { server, isBlocked: true })
    })

  about('unblock', 'Take a block away.')
    .argument(...who)
    .action(async (person: string, { server }: Options) => {
      const { block } = await import('./accounts.ts')
      await block(tool(), person, { server, isBlocked: false })
    })
}
