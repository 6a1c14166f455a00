import { listRehearsed } from '../../db/payments/rehearsed-sales.ts';
import { TenantId } from '../../domain/ids.ts';
import { Rehearsal } from '../../domain/rehearsal.ts';
import { Contradiction } from './model.ts';
import { inputOf } from './perform-as-merchant.ts';
import type { Play } from './playing.ts';
import { untilReached } from './until-reached.ts';

const DAY_MS = 86_400_000;
/** More sales than any history has. */
const ALL = 10_000;

/**
 * Rehearses the terms of each rule over the history's sales, which no request can: it ends with
 * yesterday. Throws a Contradiction unless each agrees to the point with what that rule decided.
 */
export async function rehearseRules({ deployment, shop, model }: Play): Promise<void> {
  const { rules, currency, policies } = model.world;
  const [from, to] = [new Date(shop.openedAt - DAY_MS), new Date(Date.now() + DAY_MS)];
  const span = { from, to };
  const sales = { ...span, tenantId: TenantId.parse(shop.tenantId), storedBy: to };
  const decided = await untilReached(() =>
    listRehearsed(deployment.db, sales, { after: undefined, limit: ALL }),
  );
  rules.forEach(({ terms }, index) => {
    const version = index + 1;
    const { conversionRate, ...others } = inputOf(terms);
    const rule = { ...others, conversionRate: String(conversionRate), version };
    const rehearsal = new Rehearsal({ rule, currency, refunds: policies.refunds, weeks: [] });
    for (const sale of decided) rehearsal.add(sale);
    const found = rehearsal.result(span, { anonymous: 0, beforeConnection: 0 }).versions;
    const own = found.find((each) => each.version === version);
    if (own === undefined || own.actualPoints === own.rehearsedPoints) return;
    throw new Contradiction(
      `Rule ${version} gave other points than it gives: ${JSON.stringify(own)}`,
    );
  });
}
