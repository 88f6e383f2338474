import type { Spread } from './statistics.ts'

/** The required and the intended figures of SPEED-1 to SPEED-12; no other code repeats these numbers.
 * The figures of Lighthouse calibrated to the machine are only printed, and have no limit. */

type Better = 'lower' | 'higher'

export interface Figure {
  key: string
  figure: string
  better: Better
  reach: number
  aim: number
  unit: '×' | 'MB' | 'KB' | '' | 's' | 'ms'
}

const ratio = { better: 'lower', unit: '×' } as const
const tap = { ...ratio, reach: 1.1, aim: 1 }
const size = { better: 'lower', unit: 'KB' } as const
const score = { better: 'higher', unit: '' } as const
const rate = { better: 'higher', unit: '×' } as const
/** printed without a limit */
const printed = { reach: Number.NEGATIVE_INFINITY } as const

export const figures: readonly Figure[] = [
  { key: 'cold', figure: 'first question on screen, cold, signed in, deep link', ...ratio, reach: 1.4, aim: 1.1 },
  { key: 'cold-on-disk', figure: 'a tap at that moment on the disk, cold', ...ratio, reach: 1.5, aim: 1.1 },
  { key: 'offline', figure: 'first question on screen, offline from the worker', ...ratio, reach: 1.2, aim: 1 },
  { key: 'offline-on-disk', figure: 'a tap at that moment on the disk, offline', ...ratio, reach: 1.2, aim: 1 },
  { key: 'idle-call', figure: 'a call after the browser has stopped the worker', ...ratio, reach: Number.POSITIVE_INFINITY, aim: 1 },
  {
    key: 'weak-line',
    figure: 'first question on screen, 64 kbit/s, 300 ms a round trip, 20 % lost',
    better: 'lower',
    unit: 's',
    reach: 15,
    aim: 8,
  },
  { key: 'weak-line-progress', figure: 'progress shown on that line', better: 'lower', unit: 's', reach: 2, aim: 2 },
  { key: 'paint-median-wide', figure: 'tap to next paint, 1280 px, median', ...tap },
  { key: 'paint-p98-wide', figure: 'tap to next paint, 1280 px, p98', ...tap },
  { key: 'paint-median-phone', figure: 'tap to next paint, 390 px, median', ...tap },
  { key: 'paint-p98-phone', figure: 'tap to next paint, 390 px, p98', ...tap },
  { key: 'paint-median-wide-1000', figure: 'tap to next paint with 1,000 items, 1280 px, median (floor: 112)', ...tap },
  { key: 'paint-p98-wide-1000', figure: 'tap to next paint with 1,000 items, 1280 px, p98 (floor: 112)', ...tap },
  { key: 'paint-median-phone-1000', figure: 'tap to next paint with 1,000 items, 390 px, median (floor: 112)', ...tap },
  { key: 'paint-p98-phone-1000', figure: 'tap to next paint with 1,000 items, 390 px, p98 (floor: 112)', ...tap },
  { key: 'commit-wide', figure: 'tap to committed in IndexedDB (strict), 1280 px, median', ...tap },
  { key: 'commit-phone', figure: 'tap to committed in IndexedDB (strict), 390 px, median', ...tap },
  { key: 'heap-wide', figure: 'JS heap after 100 answers, 1280 px', better: 'lower', unit: 'MB', reach: 6, aim: 4 },
  { key: 'heap-phone', figure: 'JS heap after 100 answers, 390 px', better: 'lower', unit: 'MB', reach: 6, aim: 4 },
  { key: 'bytes-sign-in', figure: 'initial JS, gzip: sign-in', ...size, reach: 135, aim: 110 },
  { key: 'bytes-questionnaire', figure: 'initial JS, gzip: questionnaire', ...size, reach: 150, aim: 110 },
  { key: 'bytes-precached', figure: 'all JS that is precached, gzip', ...size, reach: 400, aim: 320 },
  { key: 'lighthouse-sign-in-performance', figure: 'Lighthouse mobile, sign-in: performance', ...score, reach: 95, aim: 100 },
  {
    key: 'lighthouse-sign-in-calibrated',
    figure: 'the same, the processor slowed by what Lighthouse says for such a machine',
    ...score,
    ...printed,
    aim: 100,
  },
  { key: 'lighthouse-sign-in-accessibility', figure: 'Lighthouse mobile, sign-in: accessibility', ...score, reach: 100, aim: 100 },
  { key: 'lighthouse-sign-in-best-practices', figure: 'Lighthouse mobile, sign-in: best practices', ...score, reach: 100, aim: 100 },
  { key: 'lighthouse-dashboard-performance', figure: 'Lighthouse mobile, dashboard: performance', ...score, reach: 95, aim: 100 },
  {
    key: 'lighthouse-dashboard-calibrated',
    figure: 'the same, the processor slowed by what Lighthouse says for such a machine',
    ...score,
    ...printed,
    aim: 100,
  },
  { key: 'lighthouse-dashboard-accessibility', figure: 'Lighthouse mobile, dashboard: accessibility', ...score, reach: 100, aim: 100 },
  { key: 'lighthouse-dashboard-best-practices', figure: 'Lighthouse mobile, dashboard: best practices', ...score, reach: 100, aim: 100 },
  { key: 'save-20', figure: 'POST …/responses, 20 answers, 16 connections, against bare-pg', ...rate, reach: 0.6, aim: 1 },
  { key: 'save-1', figure: 'the same with 1 answer', ...rate, reach: 0.8, aim: 1 },
  { key: 'save-p99', figure: 'p99 of the 20', ...ratio, reach: Number.POSITIVE_INFINITY, aim: 1 },
  { key: 'save-wal', figure: 'write-ahead log of a save of 30', ...size, reach: 3, aim: 1.5 },
  {
    key: 'questionnaire',
    figure: 'the questionnaire as a browser asks for it, 16 connections, a second',
    ...rate,
    unit: '',
    reach: 1500,
    aim: 3000,
  },
  {
    key: 'audit-notes',
    figure: 'audit entries of three processes with commits of 10 ms, a second',
    ...rate,
    unit: '',
    reach: 2000,
    aim: 4000,
  },
  { key: 'sign-in-start', figure: 'a start of signing in, median', better: 'lower', unit: 'ms', reach: 20, aim: 10 },
  {
    key: 'save-beside-storm',
    figure: 'a save of one answer, median, while another account saves on 8 connections, against without it',
    ...ratio,
    reach: Number.POSITIVE_INFINITY,
    aim: 2,
  },
  {
    key: 'save-trips',
    figure: 'round trips of one save (statements beside it)',
    better: 'lower',
    unit: '',
    reach: Number.POSITIVE_INFINITY,
    aim: 1,
  },
  {
    key: 'squad-paint',
    figure: 'coach with 2,000 players and 5,000 tokens: search, filter, sort or page to next paint, the slowest of them',
    better: 'lower',
    unit: 'ms',
    reach: 100,
    aim: 50,
  },
  { key: 'squad-reads', figure: 'the reads of such a coach while 1,000 other coaches exist, against 10', ...ratio, reach: 1.1, aim: 1 },
  {
    key: 'start-first',
    figure: 'npm start on a built clone to the first /api/health, first time',
    better: 'lower',
    unit: 's',
    reach: 4,
    aim: 2.5,
  },
  { key: 'start-later', figure: 'the same, later', better: 'lower', unit: 's', reach: 1.2, aim: 0.7 },
]

/** One measured row. `value` is compared with reach and aim: the ratio, or the absolute figure if there is no yardstick. */
export interface Measured {
  key: string
  value: Spread
  ours: string
  yardstick?: string
  /** more information, such as the bytes by file or the statements of a save */
  detail?: unknown
}

type Verdict = 'aim reached' | 'reached' | 'missed' | 'printed' | 'not measured'

export function verdictOf({ better, reach, aim }: Figure, value: number | undefined): Verdict {
  if (value === undefined || Number.isNaN(value)) return 'not measured'
  // compared as it is printed, with two decimals
  const rounded = Math.round(value * 100) / 100
  const meets = (limit: number) => (better === 'lower' ? rounded <= limit : rounded >= limit)
  if (meets(aim)) return 'aim reached'
  if (!Number.isFinite(reach)) return 'printed'
  return meets(reach) ? 'reached' : 'missed'
}
