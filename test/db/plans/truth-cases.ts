import * as truthDays from '../../../db/connections/truth-days.ts';
import { at, type Case, LIMIT, tenantId } from './cases.ts';

const HOUR_MS = 3_600_000;
const of = { tenantId, provider: 'alpha' } as const;
const span = { from: new Date(Date.now() - HOUR_MS), to: new Date() };

/** What the comparison of days with providers' lists reads. */
export const TRUTH: readonly Case[] = [
  ...(([null, at.connection] as const).map((after) => ({
    covers: 'connections/truth-days.listWatched',
    rows: LIMIT,
    run: (tx) => truthDays.listWatched(tx, { after, limit: LIMIT }),
  })) satisfies Case[]),
  {
    covers: 'connections/truth-days.findCompared',
    rows: 1,
    run: (tx) => truthDays.findCompared(tx, at.connection),
  },
  {
    covers: 'connections/truth-days.readSales',
    rows: LIMIT,
    run: (tx) =>
      truthDays.readSales(
        tx,
        of,
        Array.from({ length: LIMIT }, (_, nth) => `P${nth}`),
      ),
  },
  {
    covers: 'connections/truth-days.readSalesOfSpan',
    rows: 61,
    run: (tx) => truthDays.readSalesOfSpan(tx, of, span),
  },
  {
    covers: 'connections/truth-days.listDays',
    rows: LIMIT,
    run: (tx) => truthDays.listDays(tx, at.connection, { from: '2026-01-01', to: '2026-01-31' }),
  },
  {
    covers: 'connections/truth-days.deleteOld',
    rows: LIMIT,
    run: (tx) => truthDays.deleteOld(tx, LIMIT),
  },
];
