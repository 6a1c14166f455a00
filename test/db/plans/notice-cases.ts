import * as points from '../../../db/notices/points.ts';
import { listRecipients } from '../../../db/notices/waiting.ts';
import { findShops } from '../../../db/notices/week.ts';
import type { TenantId, WalletId } from '../../../domain/ids.ts';
import { type Case, LIMIT, manyOf } from './cases.ts';

const wallets = manyOf(LIMIT, 'wallet') as WalletId[];
const shops = manyOf(5, 'tenant') as TenantId[];

/** Of one row. */
const scans = ['notice_position'];

/** What is read of those who are to be told of something by mail. */
export const NOTICES: readonly Case[] = [
  { covers: 'notices/points.hasNews', rows: 1, scans, run: (tx) => points.hasNews(tx) },
  { covers: 'notices/points.note', rows: LIMIT, scans, run: (tx) => points.note(tx, LIMIT) },
  {
    covers: 'notices/points.findNotices',
    rows: LIMIT,
    scans,
    run: (tx) => points.findNotices(tx, wallets),
  },
  { covers: 'notices/waiting.listRecipients', rows: 100, run: (tx) => listRecipients(tx) },
  { covers: 'notices/week.findShops', rows: 100, run: (tx) => findShops(tx, shops) },
];
