import * as attachments from '../../../db/payments/attachments.ts';
import type { UserId } from '../../../domain/ids.ts';
import { at, type Case, LIMIT, tenantId, userId } from './cases.ts';
import { idOf } from './rows.ts';

const operatorId = idOf('user', 3) as UserId;
const receipt = { amountMinorUnits: 100, at: new Date(Date.now() - 6_000_000) };
const filters = [{}, { operatorId }, { userId }];

/** The sales that were attached to customers, and those that may be. */
export const ATTACHMENTS: readonly Case[] = [
  {
    covers: 'payments/attachments.findAnonymous',
    rows: 5,
    run: (tx) => attachments.findAnonymous(tx, tenantId, receipt),
  },
  {
    covers: 'payments/attachments.findSale',
    rows: 2,
    run: (tx) => attachments.findSale(tx, tenantId, at.payment),
  },
  {
    covers: 'payments/attachments.recentOf',
    rows: LIMIT,
    run: (tx) => attachments.recentOf(tx, { tenantId, userId, operatorId }),
  },
  ...filters.flatMap((filter): Case[] =>
    [undefined, at.payment].map((after) => ({
      covers: 'payments/attachments.list',
      rows: LIMIT,
      run: (tx) => attachments.list(tx, tenantId, { ...filter, limit: LIMIT, after }),
    })),
  ),
];
