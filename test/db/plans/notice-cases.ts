import * as points from '../../../db/notices/points.ts';
import * as subscriptions from '../../../db/notices/push-subscriptions.ts';
import { findUsed } from '../../../db/notices/used-codes.ts';
import { listRecipients } from '../../../db/notices/waiting.ts';
import { findShops } from '../../../db/notices/week.ts';
import type { RedemptionId, TenantId, UserId, WalletId } from '../../../domain/ids.ts';
import { type Case, LIMIT, manyOf } from './cases.ts';

const wallets = manyOf(LIMIT, 'wallet') as WalletId[];
const [user] = manyOf(1, 'user') as [UserId];
const codes = manyOf(LIMIT, 'redemption') as RedemptionId[];
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
    run: (tx) => points.findNotices(tx, 'push_points', wallets),
  },
  { covers: 'notices/waiting.listRecipients', rows: 100, run: (tx) => listRecipients(tx) },
  { covers: 'notices/push-subscriptions.list', rows: 1, run: (tx) => subscriptions.list(tx, user) },
  {
    covers: 'notices/push-subscriptions.add',
    rows: 1,
    run: (tx) => subscriptions.add(tx, user, { endpoint: 'https://p', p256dh: 'k', auth: 's' }),
  },
  { covers: 'notices/used-codes.findUsed', rows: LIMIT, run: (tx) => findUsed(tx, codes) },
  { covers: 'notices/week.findShops', rows: 100, run: (tx) => findShops(tx, shops) },
];
