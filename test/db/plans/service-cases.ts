import { createHash } from 'node:crypto';
import * as goodwill from '../../../db/goodwill.ts';
import * as search from '../../../db/payments/customer-search.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import * as resending from '../../../db/redemptions/resending.ts';
import * as consumers from '../../../db/tenants/consumers.ts';
import type { GoodwillId } from '../../../domain/ids.ts';
import { at, type Case, DEEP, LIMIT, tenantId, userId, walletId } from './cases.ts';
import { idOf } from './rows.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const position = idOf('goodwill', DEEP) as GoodwillId;

/** What a merchant looks up for a customer, and asks for. */
export const SERVICE: readonly Case[] = [
  {
    covers: 'tenants/consumers.findSought',
    rows: LIMIT,
    run: (tx) =>
      consumers.findSought(tx, tenantId, {
        email: 'user7@example.com',
        phone: '+4915100000007',
        memberNumber: '123456789015',
        limit: LIMIT,
      }),
  },
  {
    covers: 'payments/customer-search.findByContact',
    rows: LIMIT,
    run: (tx) =>
      search.findByContact(tx, tenantId, {
        fingerprints: [sha256('7'), sha256('8')],
        limit: LIMIT,
      }),
  },
  {
    covers: 'redemptions/listing.findByCode',
    rows: LIMIT,
    run: (tx) => listing.findByCode(tx, tenantId, [sha256('7')]),
  },
  {
    covers: 'redemptions/resending.lock',
    rows: LIMIT,
    run: (tx) => resending.lock(tx, tenantId, at.redemption).catch(() => undefined),
  },
  {
    covers: 'goodwill.countOpen',
    rows: LIMIT,
    run: (tx) => goodwill.countOpen(tx, { tenantId, walletId }),
  },
  { covers: 'goodwill.get', rows: LIMIT, run: (tx) => goodwill.get(tx, tenantId, position) },
  { covers: 'goodwill.lock', rows: LIMIT, run: (tx) => goodwill.lock(tx, position) },
  {
    covers: 'goodwill.findLast',
    rows: LIMIT,
    run: (tx) => goodwill.findLast(tx, tenantId, walletId),
  },
  ...[null, position].flatMap((from): Case[] => [
    {
      covers: 'goodwill.list',
      rows: LIMIT,
      run: (tx) => goodwill.list(tx, tenantId, { limit: LIMIT, before: from }),
    },
    {
      covers: 'goodwill.listWaiting',
      rows: LIMIT,
      run: (tx) => goodwill.listWaiting(tx, { limit: LIMIT, after: from }),
    },
  ]),
  // All of one consumer's sales, and of a shop those of 90 days: by indexes that hold the sums.
  {
    covers: 'tenants/consumers.sumVisits',
    rows: LIMIT,
    run: (tx) => consumers.sumVisits(tx, tenantId, userId),
  },
];
