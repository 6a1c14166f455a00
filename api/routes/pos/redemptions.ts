import { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { initialsOf } from '../../../domain/privacy.ts';
import { normaliseCode, REDEMPTION_STATUSES } from '../../../domain/redemption.ts';
import { route } from '../../http/route.ts';
import { TenantCurrency } from '../tenant-overview.ts';
import { tenantOf } from './context.ts';

/** A code has 12 characters; people may type spaces between them. */
const MAX_TYPED_LENGTH = 100;

const CodeRequest = z.object({
  code: z
    .string()
    .max(MAX_TYPED_LENGTH)
    .transform(normaliseCode)
    .refine((code) => code !== '', 'must not be blank'),
});

export const lookupRedemption = route({
  method: 'POST',
  path: '/pos/redemptions/lookup',
  access: 'REDEMPTION_VERIFY',
  limit: 'lookups',
  tag: 'Operator',
  summary: 'Look up a redemption code without using it',
  refusals: ['TENANT_FORBIDDEN', 'NOT_FOUND'],
  body: CodeRequest,
  response: z.object({
    code: z.string(),
    status: z.enum(REDEMPTION_STATUSES),
    points: z.int().positive(),
    discountValueMinorUnits: z.int().positive(),
    currency: TenantCurrency,
    expiresAt: z.iso.datetime(),
    usedAt: z.iso.datetime().nullable(),
    customer: z.object({ initials: z.string() }),
  }),
  examples: {
    body: { code: '9f86 d081 884c' },
    response: {
      code: '9F86D081884C',
      status: 'issued',
      points: 500,
      discountValueMinorUnits: 500,
      currency: 'EUR',
      expiresAt: '2026-01-15T10:15:02.000Z',
      usedAt: null,
      customer: { initials: 'AL' },
    },
  },

  async handle({ body: { code }, user, db, codes }) {
    const found = await getByCode(db, tenantOf(user), codes.hmacsOf(code));
    const { customerName: name, customerEmail: email, expiresAt, usedAt } = found;
    return {
      ...found,
      code,
      expiresAt: expiresAt.toISOString(),
      usedAt: usedAt?.toISOString() ?? null,
      customer: { initials: initialsOf({ name, email }) },
    };
  },
});

export const completeRedemption = route({
  method: 'POST',
  path: '/pos/redemptions/complete',
  access: 'REDEMPTION_VERIFY',
  limit: 'lookups',
  idempotent: true,
  tag: 'Operator',
  summary: 'Use a redemption code',
  description: 'Of several requests for one code at the same time, exactly one succeeds.',
  refusals: ['TENANT_FORBIDDEN', 'NOT_FOUND', 'RULE_REJECTED'],
  body: CodeRequest,
  response: z.object({
    ok: z.literal(true),
    status: z.literal('used'),
    points: z.int().positive(),
    discountValueMinorUnits: z.int().positive(),
    currency: TenantCurrency,
    usedAt: z.iso.datetime(),
  }),
  examples: {
    body: { code: '9f86 d081 884c' },
    response: {
      ok: true,
      status: 'used',
      points: 500,
      discountValueMinorUnits: 500,
      currency: 'EUR',
      usedAt: '2026-01-15T10:04:40.000Z',
    },
  },

  async handle({ body: { code }, user, tx, codes, orchestrator, afterCommit, metrics }) {
    const tenantId = tenantOf(user);
    const hmacs = codes.hmacsOf(code);
    const burned = await redemptions.burn(tx, { tenantId, hmacs, operatorId: user.id });
    if (burned === undefined) throw notUsable(await getByCode(tx, tenantId, hmacs));

    afterCommit(() => metrics.codeUsed());
    afterCommit(() => orchestrator.closeRedemptionLater(burned.id));
    return { ...burned, ok: true, status: 'used', usedAt: burned.usedAt.toISOString() };
  },
});

async function getByCode(db: Db, tenantId: TenantId, hmacs: readonly Buffer[]) {
  const found = await redemptions.findByCode(db, tenantId, hmacs);
  if (found === undefined)
    throw new Refusal('NOT_FOUND', 'There is no such code. Check the code and try again.');
  return found;
}

function notUsable({ status }: redemptions.RedemptionAtTill): Refusal {
  return new Refusal(
    'RULE_REJECTED',
    status === 'used'
      ? 'This code has already been used. Ask the customer for a new one.'
      : 'This code has expired. Ask the customer for a new one.',
  );
}
