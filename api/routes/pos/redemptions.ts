import { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import * as codeGuesses from '../../../db/redemptions/code-guesses.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { listUsed } from '../../../db/redemptions/used.ts';
import type { User } from '../../../db/users/users.ts';
import { Refusal } from '../../../domain/errors.ts';
import { RedemptionId, TenantId } from '../../../domain/ids.ts';
import { initialsOf } from '../../../domain/privacy.ts';
import { normaliseCode, REDEMPTION_STATUSES, refusalOfClosed } from '../../../domain/redemption.ts';
import { requireActiveShop } from '../../../domain/tenant-status.ts';
import { countUnknownCode } from '../../http/access/code-guesses.ts';
import type { Deps } from '../../http/deps.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { type Afterwards, route } from '../../http/route.ts';
import {
  ColleagueSchema,
  CustomerAtTill,
  colleagueOf,
  REWARD_TEXT,
  RedeemedWorth,
  UsedRedemptionSchema,
  usedRedemptionAnswerOf,
  usedRedemptionExample,
} from '../../resources/redemption.ts';
import { NamedRewardSchema, namedRewardExample } from '../../resources/reward.ts';

/** A code has 12 characters; people may type spaces between them. */
const MAX_TYPED_LENGTH = 100;

const CodeRequest = z.object({
  code: z
    .string()
    .min(1)
    .max(MAX_TYPED_LENGTH)
    .regex(/\S/, 'must not be blank')
    .transform(normaliseCode),
});

const Shop = z.object({ id: TenantId, name: z.string() });
const shop = { id: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42', name: 'Corner Café' };

export const lookupRedemption = route({
  method: 'POST',
  path: '/pos/redemptions/lookup',
  access: 'REDEMPTION_VERIFY',
  shop: 'named',
  limit: 'lookups',
  tag: 'Operator',
  summary: 'Look up a redemption code without using it',
  refusals: ['NOT_FOUND'],
  body: CodeRequest,
  response: z.object({
    code: z.string(),
    status: z
      .enum(REDEMPTION_STATUSES)
      .describe('`issued`: it can be completed. `expired`: overdue or cancelled, and not used.'),
    cancelled: z.boolean().describe('Whether it was cancelled; it is `expired` then.'),
    ...RedeemedWorth.shape,
    reward: NamedRewardSchema.nullable().describe(REWARD_TEXT),
    expiresAt: z.iso.datetime(),
    usedAt: z.iso.datetime().nullable(),
    usedBy: ColleagueSchema.nullable().describe('Who completed it; null unless it was used.'),
    customer: CustomerAtTill,
    tenant: Shop,
  }),
  examples: {
    body: { code: '9f86 d081 884c' },
    response: {
      code: '9F86D081884C',
      status: 'issued',
      cancelled: false,
      points: 500,
      discountValueMinorUnits: 500,
      currency: 'EUR',
      reward: null,
      expiresAt: '2026-01-15T10:15:02.000Z',
      usedAt: null,
      usedBy: null,
      customer: { initials: 'AL' },
      tenant: shop,
    },
  },

  async handle({ body: { code }, tenant, user, db, codes, afterwards }) {
    const found = await getByCode(db, { tenantId: tenant.id, user, code, codes, afterwards });
    const { customerName: name, customerEmail: email, expiresAt, usedAt, usedBy } = found;
    const colleague = { name: found.usedByName, email: found.usedByEmail };
    return {
      ...found,
      code,
      expiresAt: expiresAt.toISOString(),
      usedAt: usedAt?.toISOString() ?? null,
      usedBy: usedBy && colleagueOf({ userId: usedBy, ...colleague }),
      customer: { initials: initialsOf({ name, email }) },
      tenant,
    };
  },
});

export const completeRedemption = route({
  method: 'POST',
  path: '/pos/redemptions/complete',
  access: 'REDEMPTION_VERIFY',
  shop: 'named',
  limit: 'lookups',
  idempotent: true,
  tag: 'Operator',
  summary: 'Use a redemption code',
  description: 'Of several requests for one code at the same time, exactly one succeeds.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'RULE_REJECTED'],
  issues: ['tenant_suspended', 'code_used', 'code_expired', 'code_cancelled', 'own_code'],
  body: CodeRequest,
  response: z.object({
    ok: z.literal(true),
    status: z.literal('used'),
    ...RedeemedWorth.shape,
    reward: NamedRewardSchema.nullable().describe(REWARD_TEXT),
    usedAt: z.iso.datetime(),
    redemptionId: RedemptionId,
    tenant: Shop,
  }),
  examples: {
    body: { code: '9f86 d081 884c' },
    response: {
      ok: true,
      status: 'used',
      points: 300,
      discountValueMinorUnits: 0,
      currency: 'EUR',
      reward: namedRewardExample,
      usedAt: '2026-01-15T10:04:40.000Z',
      redemptionId: '1d7f0a5b-7c21-4a53-9a11-6f9d4f635c0e',
      tenant: shop,
    },
  },

  async handle({ body: { code }, tenant, user, tx, afterCommit, ...deps }) {
    const { codes, metrics, announce, afterwards } = deps;
    requireActiveShop(tenant);
    const hmacs = codes.hmacsOf(code);
    const tenantId = tenant.id;
    const burned = await redemptions.burn(tx, { tenantId, hmacs, operatorId: user.id });
    if (burned === undefined) {
      throw notUsable(await getByCode(tx, { tenantId, user, code, codes, afterwards }), user);
    }
    await codeGuesses.forget(tx, user.id);

    const { id: redemptionId, userId: ownerId, usedAt, ...worth } = burned;
    afterCommit(() => metrics.codeUsed());
    afterCommit(() => announce({ userIds: [ownerId], shopIds: [tenantId] }));
    return {
      ...worth,
      ok: true,
      status: 'used',
      usedAt: usedAt.toISOString(),
      redemptionId,
      tenant,
    };
  },
});

/** Where a page starts: after a used code. */
const Position = z.tuple([z.literal('used'), RedemptionId]);

const DAY_MS = 86_400_000;

export const listUsedRedemptions = route({
  method: 'GET',
  path: '/pos/redemptions',
  access: 'REDEMPTION_VERIFY',
  shop: 'named',
  tag: 'Operator',
  summary: 'List the codes that the shop has used, last used first',
  description: 'By all its tills and operators. By default of the last 24 hours.',
  query: z.object({
    from: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(text))
      .optional()
      .describe('Used at this time or later.'),
    limit: pageLimit(50),
    cursor: pageCursor(Position),
  }),
  response: z.array(UsedRedemptionSchema),
  examples: { response: [usedRedemptionExample] },

  handle({ tenant, query, db, now }) {
    const from = query.from ?? new Date(now().getTime() - DAY_MS);
    const after = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => listUsed(db, tenant.id, { from, limit, after }),
      show: usedRedemptionAnswerOf,
      position: ({ id }) => ['used', id],
    });
  },
});

type Typed = {
  tenantId: TenantId;
  user: User;
  code: string;
  codes: Deps['codes'];
  afterwards: Afterwards;
};

async function getByCode(db: Db, { tenantId, user, code, codes, afterwards }: Typed) {
  const found = await redemptions.findByCode(db, tenantId, codes.hmacsOf(code));
  if (found !== undefined) return found;
  afterwards((deps) => countUnknownCode(deps, { userId: user.id, tenantId, code }));
  throw new Refusal('NOT_FOUND', 'There is no such code. Check the code and try again.');
}

function notUsable(found: redemptions.RedemptionAtTill, user: User): Refusal {
  requireActiveShop({ status: found.tenantStatus });
  if (found.userId === user.id) {
    const message = 'This code is your own. Ask a colleague to complete it.';
    return new Refusal('RULE_REJECTED', message, 'own_code');
  }
  return refusalOfClosed(found, 'Ask the customer for a new one.');
}
