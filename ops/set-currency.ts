import { decideAgain } from '../activities/ingestion/revise/decide-again.ts';
import { safeErrorText } from '../activities/safe-error-text.ts';
import { ConfigSchema } from '../config.ts';
import * as auditLog from '../db/audit-log.ts';
import type { Db } from '../db/connection.ts';
import * as currencies from '../db/tenants/currency.ts';
import * as tenants from '../db/tenants/tenants.ts';
import { Currency } from '../domain/currency.ts';
import { TenantId } from '../domain/ids.ts';
import { type Command, type Done, parseId, requireNoArguments, UsageError } from './command.ts';

export const setCurrency: Command = {
  usage: 'set-currency TENANT ISO',
  summary: 'Corrects the currency of a tenant, and decides what was refused for it again',
  async run({ args, db, settings, operator }) {
    const [tenant, code, ...others] = args;
    if (tenant === undefined) throw new UsageError('TENANT is missing.');
    if (code === undefined) throw new UsageError('ISO is missing.');
    requireNoArguments(others);
    const tenantId = parseId(TenantId, tenant, 'TENANT');
    const { data: currency } = Currency.safeParse(code);
    if (currency === undefined) {
      throw new UsageError(`${code} is not a currency code of ISO 4217, such as EUR.`);
    }
    const { PAYMENT_REFUNDS: refunds } = settings(ConfigSchema.pick({ PAYMENT_REFUNDS: true }));
    const before = await replace(db, { tenantId, currency, operator });
    const again = await decideAgain(db, tenantId, refunds);
    return describe({ before, currency }, again);
  },
};

/** Sets the currency and records it; the same again changes nothing and is not recorded. */
async function replace(
  db: Db,
  { tenantId, currency, operator }: { tenantId: TenantId; currency: string; operator: string },
): Promise<string | null> {
  await tenants.get(db, tenantId);
  return db.transaction(async (tx) => {
    const before = await currencies.replace(tx, tenantId, currency);
    if (before === currency) return before;
    await auditLog.insert(tx, {
      ...auditLog.byOps(operator),
      action: 'tenant.set_currency',
      targetType: 'tenant',
      targetId: tenantId,
      tenantId,
      reason: null,
      before: { currency: before },
      after: { currency },
    });
    return before;
  });
}

const INCOMPLETE = 'Older transactions still run, and may refuse more: run it again in a minute.';

function describe(
  { before, currency }: { before: string | null; currency: string },
  { payments, points, failed, isComplete }: Awaited<ReturnType<typeof decideAgain>>,
): Done {
  const failures = failed.map(({ paymentId, error }) => {
    return { paymentId, error: safeErrorText(error) };
  });
  const lines = [
    before === currency
      ? `The currency is ${currency} already.`
      : `The currency is ${currency} now; it was ${before ?? 'not known'}.`,
    `${payments} payments were decided again: ${points} points credited.`,
    ...failures.map(({ paymentId, error }) => `Payment ${paymentId} failed: ${error}`),
    ...(isComplete ? [] : [INCOMPLETE]),
  ];
  return {
    data: { before, currency, payments, points, failed: failures, isComplete },
    text: `${lines.join('\n')}\n`,
    failed: failures.length > 0 || !isComplete,
  };
}
