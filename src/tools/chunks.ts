import { LANGUAGES } from '#contract/languages.ts'

/**
 * Which modules share a chunk. An entry is a package, a file, or a folder with its slash. A group includes what its modules import,
 * unless a group of higher priority does. tests/house/chunks.test.ts fails for an entry that does not exist.
 */
interface ChunkGroup {
  name: string
  priority: number
  packages?: readonly string[]
  modules?: readonly string[]
  /** exceptions from the folders in `modules` */
  except?: readonly string[]
}

const app = (...names: string[]) => names.map((name) => `src/app/${name}`)
const contract = (...names: string[]) => names.map((name) => `src/contract/${name}`)
const words = (language: string, ...areas: string[]) => areas.map((area) => `locales/${language}/${area}.json`)

/** Not needed until somebody is signed in. */
const queries = app(
  'api/query-client.ts',
  'api/query-store.ts',
  'api/reads-provider.tsx',
  'api/retry-failed-reads.ts',
  'api/use-call.ts',
  'api/lost-replies.ts',
)

const TANSTACK = ['react-query', 'query-core', 'query-persist-client-core', 'query-sync-storage-persister'].map(
  (name) => `@tanstack/${name}`,
)

export const chunkGroups: readonly ChunkGroup[] = [
  {
    // what the first questions and every other screen need, without React
    name: 'base',
    priority: 6,
    modules: [
      ...app('start-page.ts', 'i18n/current-language.ts', 'i18n/word-files.ts'),
      ...app(
        'ui/browser/after-paint.ts',
        'ui/feedback/announcer.ts',
        'paths.ts',
        'i18n/times.ts',
        'i18n/moments.ts',
        'device/sending/unwritten.ts',
      ),
      ...app('ui/browser/blocked-storages.ts', 'api/zod-jitless.ts', 'api/polyfills.ts', 'session/signed-in-entry.ts'),
      ...contract('rules/statuses.ts', 'rules/dates.ts', 'rules/fill-in.ts'),
    ],
  },
  {
    // calls and their schemas: constructing these is slow on a phone, and a question that the device has needs none
    name: 'calls',
    priority: 5,
    packages: ['zod'],
    modules: [
      ...app('api/call.ts', 'api/prefetched.ts', 'session/request-credentials.ts'),
      ...contract('endpoint.ts', 'auth.ts', 'rules/fields.ts', 'instances.ts', 'paging.ts'),
    ],
  },
  {
    // needed by every screen, and seldom changed by a release
    name: 'vendor',
    priority: 5,
    packages: ['react', 'react-dom', 'scheduler', 'i18next', 'wouter', 'regexparam'],
  },
  {
    name: 'core',
    priority: 4,
    modules: [
      ...app('api/', 'session/', 'i18n/i18n.ts', 'constants.ts'),
      ...app('parts/install/install.ts', 'parts/install/on-demand.ts', 'parts/dashboard-link.tsx'),
      ...app('ui/layout/page.tsx', 'ui/layout/brand.tsx', 'ui/layout/placeholder-link.tsx', 'ui/forms/button.tsx'),
      ...app('ui/browser/use-focus-on-arrival.ts', 'ui/browser/use-keep-focus.ts', 'ui/browser/use-is-mobile.ts'),
      ...app('ui/layout/skeletons.tsx', 'ui/browser/on-demand.ts', 'ui/feedback/toast.ts'),
      ...app(
        'parts/app-update.ts',
        'device/sending/send-trouble.ts',
        'shell/update-prompt.tsx',
        'shell/language-switch.tsx',
        'shell/connection-strip.tsx',
      ),
      ...app('shell/demo-ribbon.tsx', 'shell/shell.css'),
      ...contract('settings.ts'),
    ],
    except: [
      ...queries,
      ...app('api/zod-jitless.ts', 'api/polyfills.ts', 'api/call.ts', 'api/prefetched.ts'),
      ...app(
        'session/coach-onboarding.ts',
        'session/signed-in-entry.ts',
        'session/sign-out.ts',
        'session/still-too-old.ts',
        'session/request-credentials.ts',
      ),
    ],
  },
  {
    // what every screen for guests needs: many small chunks would load one after the other
    name: 'guests',
    priority: 3,
    modules: app(
      'shell/public-layout.tsx',
      'screens/auth/for-guests.tsx',
      'screens/auth/on-demand.ts',
      'screens/auth/use-sign-in.ts',
      'ui/forms/plain-text-field.tsx',
      'parts/person/settings-link.tsx',
      'parts/use-erased-text.ts',
    ),
  },
  { name: 'queries', priority: 3, packages: TANSTACK, modules: queries },
  {
    // shared by the questionnaire and other screens: without a chunk of its own, the questionnaire would load those screens' modules, too
    name: 'questionnaire',
    priority: 2,
    modules: [
      ...contract('rules/questionnaire.ts', 'rules/receipt.ts'),
      ...app(
        'sync/rows.ts',
        'device/lazy.ts',
        'device/lazy-reads.ts',
        'device/owner.ts',
        'device/edit-order.ts',
        'device/readiness/lacks.ts',
        'device/ready-instance.ts',
        'questionnaire/submit.ts',
        'device/screen-state.ts',
      ),
      ...app('ui/browser/load-once.ts', 'device/store/device-store.ts', 'device/store/load-dexie.ts', 'device/store/idb.ts'),
      ...app('device/store/stored.ts', 'device/store/schema.ts', 'device/store/database-timeout.ts', 'device/store/store-events.ts'),
      ...app('device/store/lost-open.ts'),
      ...app('device/sending/sync-events.ts'),
    ],
  },
  {
    // the questionnaire without React, which its first questions and its screen share
    name: 'answering',
    priority: 2,
    modules: app(
      'questionnaire/questionnaire.ts',
      'questionnaire/answers.ts',
      'questionnaire/answer-listeners.ts',
      'questionnaire/answer-times.ts',
      'screens/assessment/questions/places.ts',
      'screens/assessment/questions/auto-advance.ts',
      'screens/assessment/sections/ranking-taps.ts',
      'screens/assessment/sections/single-choice-taps.ts',
      'screens/assessment/sections/likert-keys.ts',
      'screens/assessment/sending/save-text.ts',
      'screens/assessment/sending/sending.css',
      'screens/assessment/questions/questions.css',
      'screens/assessment/sections/sections.css',
    ),
  },
  {
    // what a question that is not on the device needs, and nothing else before the rest of the app
    name: 'fetching',
    priority: 1,
    modules: app('device/fetch-instance.ts', 'device/content-words.ts', 'questionnaire/submit-directly.ts'),
  },
  {
    // schemas that the first question does not need: constructing them on load is slow on a phone
    name: 'schemas',
    priority: 2,
    modules: contract('users.ts', 'reference.ts', 'assessments.ts'),
  },
  // texts of the frame and of shared parts in one file, those of the dashboard's folders in another
  ...LANGUAGES.flatMap((language) => [
    { name: `words-${language}`, priority: 1, modules: words(language, 'shell', 'ui', 'parts') },
    { name: `home-${language}`, priority: 1, modules: words(language, 'home', 'player', 'team', 'tokens') },
  ]),
  {
    // storing and sending answers: all needed after the first paint, and many small chunks would be larger in total
    name: 'sending',
    priority: 1,
    modules: app(
      'device/start.ts',
      'session/still-too-old.ts',
      'device/badge.ts',
      'device/clear.ts',
      'device/status.ts',
      'device/waiting.ts',
      'device/unsent-of-others.ts',
      'device/store/dexie-instances.ts',
      'device/store/dexie-answers.ts',
      'device/store/dexie-reads.ts',
      'device/store/clear-rows.ts',
      'device/results.ts',
      'device/stored-replies.ts',
      'device/sending/outbox.ts',
      'device/sending/send-rows-to-server.ts',
      'device/sending/unwritten-in-tabs.ts',
      'device/readiness/prepare.ts',
    ),
  },
  {
    // needed by every screen but the questionnaire: many small chunks would load one after the other
    name: 'shared',
    priority: 1,
    packages: ['date-fns'],
    modules: [
      ...contract('rules/pricing.ts', 'rules/assessment-name.ts', 'rules/result-line.ts'),
      ...app(
        'parts/assessment/assessment-name.tsx',
        'parts/assessment/price.tsx',
        'parts/person/use-profile.ts',
        'parts/use-last-defined.ts',
        'parts/assessment/as-of.tsx',
        'ui/browser/use-seen.ts',
        'ui/layout/breadcrumbs.tsx',
        'ui/layout/icons.tsx',
        'i18n/figures.ts',
        'ui/tables/use-top-of-page.ts',
      ),
      ...app(
        'session/coach-onboarding.ts',
        'session/sign-out.ts',
        'device/use-on-device.ts',
        'ui/feedback/dialog.tsx',
        'ui/feedback/confirm.dialog.tsx',
      ),
      ...app('shell/shell.tsx', 'shell/drawer.tsx', 'shell/sidebar.tsx', 'shell/sidebar-state.ts', 'shell/sign-out.dialog.tsx'),
      ...app('shell/sign-out-words.ts', 'shell/install-prompt.tsx'),
    ],
  },
]

/** @param path from the root of the repository */
export function isInGroup({ modules = [], except = [] }: ChunkGroup, path: string): boolean {
  const matches = (entry: string) => (entry.endsWith('/') ? path.startsWith(entry) : path === entry)
  return modules.some(matches) && !except.some(matches)
}

/** The groups in the bundler's form. The id of a module is its path, sometimes with a query. */
export function codeSplitting(root: string) {
  return {
    groups: chunkGroups.map((group) => ({
      name: group.name,
      priority: group.priority,
      test: (id: string) => {
        const [path = ''] = id.replaceAll('\\', '/').split('?')
        const [, inPackage] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
        if (inPackage !== undefined) return group.packages?.includes(inPackage) ?? false
        return isInGroup(group, path.replace(root, ''))
      },
    })),
  }
}
