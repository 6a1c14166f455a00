import { z } from 'zod';
import { ask, askFor, outcomeOf, type Request } from './client.ts';
import type { Gift } from './model/giving.ts';
import type { Play } from './playing.ts';
import type { Person } from './shop.ts';
import type { StepOf } from './steps.ts';
import { untilReached } from './until-reached.ts';

const Card = z.object({ memberNumber: z.string() });
const Attached = z.object({ points: z.int() });

/**
 * Attaches the sale of a receipt, which the service knows, to people who show their cards: the till
 * and the merchant in turns, unless that one is suspended.
 */
export async function give(play: Play, { sale, people }: StepOf<'give'>): Promise<void> {
  const { deployment, shop, model } = play;
  const rung = shop.sales.get(sale);
  // A suspended shop attaches nothing, and a suspended person's number is unknown.
  if (rung === undefined || model.world.isShopSuspended) return;
  const known = people.flatMap((person) => {
    const owner = model.world.suspended.has(person) ? undefined : shop.people.get(person);
    return owner === undefined ? [] : [{ person, owner }];
  });
  const row = await untilReached(() =>
    deployment
      .db('payments')
      .where({ tenantId: shop.tenantId, provider: rung.provider, providerPaymentId: rung.id })
      .first<{ id: string } | undefined>('id'),
  );
  if (row === undefined || known.length === 0) return;
  const gifts = known.map((one, nth) => {
    const by = nth % 2 === 1 && !model.world.suspended.has('merchant') ? 'merchant' : 'till';
    return attach(play, { saleId: row.id, by, ...one });
  });
  model.gave(sale, await Promise.all(gifts));
}

async function attach(
  { deployment: { urls }, shop }: Play,
  { saleId, by, person, owner }: Pick<Gift, 'by' | 'person'> & { saleId: string; owner: Person },
): Promise<Gift> {
  const card = await askFor(urls, Card, { path: '/consumer/member', token: owner.token });
  const body = { member: card.memberNumber };
  const attaching: Request =
    by === 'till'
      ? { path: `/pos/anonymous-sales/${saleId}/attach`, body, token: shop.operator }
      : {
          path: `/client/tenants/${shop.tenantId}/attachments`,
          body: { ...body, transactionId: saleId },
          token: shop.merchant,
        };
  const answer = await ask(urls, { method: 'POST', ...attaching });
  const outcome = outcomeOf(answer);
  const points = outcome === 'ok' ? Attached.parse(answer.body).points : null;
  return { by, person, answer: outcome, points };
}
