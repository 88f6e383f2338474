import { LANGUAGES } from '#contract/languages.ts'

/**
 * Which modules share a file of the build: an entry is a package, a file, or a folder with its slash. A group takes along what
 * its modules import, unless a group of higher priority has it. tests/house/chunks.test.ts says when an entry names nothing.
 */
export interface ChunkGroup {
  name: string
  priority: number
  packages?: readonly string[]
  modules?: readonly string[]
  /** of the folders in `modules`, what is not meant */
  except?: readonly string[]
}

const app = (...names: string[]) => names.map((name) => `src/app/${name}`)
const contract = (...names: string[]) => names.map((name) => `src/contract/${name}`)
const words = (language: string, ...areas: string[]) => areas.map((area) => `locales/${language}/${area}.json`)

/** Not before the sign-in, which does without. */
const queries = app('api/query-client.ts', 'api/query-store.ts', 'api/reads-provider.tsx', 'api/retry-failed-reads.ts', 'api/use-call.ts')

const TANSTACK = ['react-query', 'query-core', 'query-persist-client-core', 'query-sync-storage-persister'].map(
  (name) => `@tanstack/${name}`,
)

export const chunkGroups: readonly ChunkGroup[] = [
  {
    // what every screen stands on, and what a new version of the app seldom changes
    name: 'vendor',
    priority: 5,
    packages: ['react', 'react-dom', 'scheduler', 'i18next', 'wouter', 'regexparam', 'zod'],
    modules: app('api/zod-jitless.ts'),
  },
  {
    name: 'core',
    priority: 4,
    modules: [
      ...app('api/', 'session/', 'i18n/i18n.ts', 'i18n/figures.ts', 'parts/install.ts', 'paths.ts', 'constants.ts'),
      ...app('ui/page.tsx', 'ui/brand.tsx', 'ui/icons.tsx', 'ui/breadcrumbs.tsx', 'ui/placeholder-link.tsx', 'ui/button.tsx'),
      ...app('ui/after-paint.ts', 'ui/announcer.ts', 'ui/use-focus-on-arrival.ts', 'ui/use-keep-focus.ts', 'ui/use-is-mobile.ts'),
      ...app('ui/use-seen.ts', 'ui/use-top-of-page.ts', 'ui/skeletons.tsx', 'ui/on-demand.ts', 'ui/toast.ts', 'ui/dialog.tsx'),
      ...app('shell/app-update.ts', 'shell/update-prompt.tsx', 'shell/language-switch.tsx', 'shell/connection-strip.tsx'),
      ...app('shell/demo-ribbon.tsx', 'shell/shell.css'),
      ...contract('auth.ts', 'settings.ts', 'rules/profile.ts'),
    ],
    except: [...queries, ...app('api/zod-jitless.ts', 'session/coach-onboarding.ts', 'session/sign-out.ts')],
  },
  { name: 'queries', priority: 3, packages: TANSTACK, modules: queries },
  {
    // what the questionnaire has in common with the other screens: never with them in one chunk, or it would load theirs
    name: 'questionnaire',
    priority: 2,
    modules: [
      ...contract('instances.ts', 'paging.ts', 'rules/questionnaire.ts', 'rules/statuses.ts', 'rules/receipt.ts'),
      ...app(
        'sync/rows.ts',
        'device/lazy.ts',
        'device/lazy-reads.ts',
        'device/owner.ts',
        'device/fetch-instance.ts',
        'questionnaire/submit.ts',
      ),
      ...app('device/load-once.ts', 'device/store/device-store.ts', 'device/store/load-dexie.ts', 'device/store/idb.ts'),
      ...app('device/store/stored.ts', 'device/store/schema.ts', 'device/store/database-timeout.ts', 'device/store/store-events.ts'),
      ...app('device/sending/sync-events.ts', 'device/sending/send-trouble.ts', 'device/sending/unwritten.ts'),
    ],
  },
  {
    // schemas that the questionnaire needs later than its first question: made where they are loaded, which takes a phone its time
    name: 'schemas',
    priority: 2,
    modules: contract('users.ts', 'reference.ts', 'assessments.ts'),
  },
  // the words of the frame, and of the parts that most screens have; those of the dashboard's rooms come at once
  ...LANGUAGES.flatMap((language) => [
    { name: `words-${language}`, priority: 1, modules: words(language, 'shell', 'ui', 'parts') },
    { name: `home-${language}`, priority: 1, modules: words(language, 'home', 'player', 'team', 'tokens') },
  ]),
  {
    // what stores and sends answers comes after the first paint, and then all of it: as many small chunks it would be larger
    name: 'device',
    priority: 1,
    modules: app(
      'device/start.ts',
      'device/clear.ts',
      'device/status.ts',
      'device/store/dexie-store.ts',
      'device/results.ts',
      'device/stored-replies.ts',
      'device/sending/outbox.ts',
      'device/sending/send-directly.ts',
      'device/sending/unwritten-in-tabs.ts',
      'device/readiness/prepare.ts',
    ),
  },
  {
    // what every screen but the questionnaire has: as many small chunks they would wait for each other
    name: 'shared',
    priority: 1,
    packages: ['date-fns'],
    modules: [
      ...contract('rules/pricing.ts', 'rules/assessment-name.ts'),
      ...app('parts/assessment-name.tsx', 'parts/price.tsx', 'parts/use-profile.ts', 'parts/use-last-defined.ts', 'parts/as-of.tsx'),
      ...app('session/coach-onboarding.ts', 'session/sign-out.ts', 'device/use-device-statuses.ts', 'ui/confirm.dialog.tsx'),
      ...app('shell/shell.tsx', 'shell/drawer.tsx', 'shell/sidebar.tsx', 'shell/sidebar-state.ts', 'shell/sign-out.dialog.tsx'),
      ...app('shell/sign-out-words.ts', 'shell/install-prompt.tsx'),
    ],
  },
]

/** @param path from the top of the repository */
export function isInGroup({ modules = [], except = [] }: ChunkGroup, path: string): boolean {
  const names = (entry: string) => (entry.endsWith('/') ? path.startsWith(entry) : path === entry)
  return modules.some(names) && !except.some(names)
}

/** As the bundler asks: by the id of a module, which is its path, with a query for what is not quite the file. */
export function codeSplitting(root: string) {
  return {
    groups: chunkGroups.map((group) => ({
      name: group.name,
      priority: group.priority,
      test: (id: string) => {
        const [path = ''] = id.replaceAll('\\', '/').split('?')
        const [, inPackage] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
        if (inPackage !== undefined) return group.packages?.includes(inPackage) ?? false
        // the bundler's own few lines
        if (path.includes('rolldown/runtime')) return group.name === 'vendor'
        return isInGroup(group, path.replace(root, ''))
      },
    })),
  }
}
