import * as standings from '../../../db/tenants/standings.ts';
import type { WalletId } from '../../../domain/ids.ts';
import { type Case, DEEP, LIMIT, tenantId, walletId } from './cases.ts';
import { idOf } from './rows.ts';

const terms = { tiers: [], returnWindowDays: 0, timeZone: 'UTC', decidedOn: null };
const day = new Date().toISOString().slice(0, 10);

/** The sales of one consumer within a year, too new to count. */
const OF_A_YEAR = DEEP;

/** Which tiers customers have, and what they have spent. */
export const TIERS: readonly Case[] = [
  {
    covers: 'tenants/standings.listDueNights',
    // Of each shop its newest version.
    rows: 2 * LIMIT,
    run: (tx) => standings.listDueNights(tx, { after: null, limit: LIMIT }),
  },
  ...([null, idOf('wallet', 20) as WalletId] as const).map(
    (after): Case => ({
      covers: 'tenants/standings.listSpenders',
      rows: 3 * LIMIT,
      skipped: OF_A_YEAR,
      run: (tx) => standings.listSpenders(tx, tenantId, { terms, day, after, limit: LIMIT }),
    }),
  ),
  {
    covers: 'tenants/standings.findOwnTier',
    rows: 2,
    skipped: OF_A_YEAR,
    run: (tx) => standings.findOwnTier(tx, walletId, terms),
  },
];
