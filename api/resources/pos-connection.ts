import { z } from 'zod';
import type * as posConnections from '../../db/connections/pos-connections.ts';
import { ConnectionId } from '../../domain/ids.ts';
import { isPolled, PROVIDERS } from '../../domain/payment.ts';
import { providers } from '../../gateways/providers/index.ts';

const STATUSES = ['active', 'disconnected'] as const;

export const PosConnection = z
  .object({
    id: ConnectionId,
    posType: z.enum(PROVIDERS),
    status: z.enum(STATUSES).describe('Whether payments come in by it.'),
    accountName: z
      .string()
      .nullable()
      .describe('The name of the connected account at its provider; null until it was read.'),
    lastError: z.string().nullable().describe('What is wrong, and who can fix it.'),
    needsReconnectSince: z.iso
      .datetime()
      .nullable()
      .describe(
        'Since when the provider accepts us no more: sales earn nothing until the merchant ' +
          'connects again. Null while it does.',
      ),
    gapSince: z.iso
      .datetime()
      .nullable()
      .describe(
        'Since when no webhook has told of sales that the provider lists; null once one does ' +
          'again. What is missing can be brought in.',
      ),
    lastEventAt: z.iso.datetime().nullable().describe('When the newest webhook event arrived.'),
    lastSaleAt: z.iso
      .datetime()
      .nullable()
      .describe(
        'When the newest sale occurred; null without one among the last 1,000 sales of the shop.',
      ),
    watermark: z.iso
      .datetime()
      .nullish()
      .describe(
        'The newest sale that polling brought in. Absent where the provider is not polled.',
      ),
    lastPolledAt: z.iso
      .datetime()
      .nullish()
      .describe('When a poll last came to its end. Absent where the provider is not polled.'),
    tokenExpiresAt: z.iso
      .datetime()
      .nullish()
      .describe('Of the access token. Absent where tokens do not expire.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'PosConnection' });

export const posConnectionExample = {
  id: '4d0f3a86-7a1b-4c5e-9f20-6b8d7e9a1c03',
  posType: PROVIDERS[0],
  status: 'active',
  accountName: 'Corner Café',
  lastError: null,
  needsReconnectSince: null,
  gapSince: null,
  lastEventAt: '2026-01-15T10:00:01.000Z',
  lastSaleAt: '2026-01-15T10:00:00.000Z',
  watermark: '2026-01-15T10:00:00.000Z',
  lastPolledAt: '2026-01-15T10:05:00.000Z',
  tokenExpiresAt: '2026-02-14T09:00:00.000Z',
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
} as const;

/** Builds the response body of a connection. */
export function connectionAnswerOf(connection: posConnections.ConnectionSummary) {
  const { provider, createdAt, updatedAt, lastEventAt, ...others } = connection;
  const { watermark, lastPolledAt, tokenExpiresAt, ...rest } = others;
  const { needsReconnectSince, gapSince, lastSaleAt, ...facts } = rest;
  return {
    ...facts,
    posType: provider,
    needsReconnectSince: needsReconnectSince?.toISOString() ?? null,
    gapSince: gapSince?.toISOString() ?? null,
    lastEventAt: lastEventAt?.toISOString() ?? null,
    lastSaleAt: lastSaleAt?.toISOString() ?? null,
    ...(isPolled(provider) && {
      watermark: watermark?.toISOString() ?? null,
      lastPolledAt: lastPolledAt?.toISOString() ?? null,
    }),
    ...(providers[provider].oauth.doTokensExpire && {
      tokenExpiresAt: tokenExpiresAt?.toISOString() ?? null,
    }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
