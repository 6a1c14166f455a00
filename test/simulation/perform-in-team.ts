import { z } from 'zod';
import { ask, askFor, outcomeOf, type Request } from './client.ts';
import type { TeamRequest } from './model/team.ts';
import type { Play } from './playing.ts';
import type { StepOf } from './steps.ts';
import { untilReached } from './until-reached.ts';

const Invited = z.object({ inviteId: z.string() });

/** Asks to change who works at the till, if what it is about exists. */
export async function changeTeam(play: Play, step: StepOf<TeamRequest>): Promise<void> {
  const { deployment, shop, model } = play;
  const request = requestFor(play, step);
  if (request === undefined) return;
  const answer = await ask(deployment.urls, request);
  const outcome = outcomeOf(answer);
  model.askedInTeam(step.do, step.person, outcome);
  if (step.do !== 'invite' || outcome !== 'ok') return;
  const { inviteId } = Invited.parse(answer.body);
  shop.invites.set(step.person, inviteId);
  shop.invited.add(`${inviteId} ${shop.addressOf(`${step.person}.0`, 'email')}`);
}

function requestFor(
  { shop }: Play,
  { do: asked, person: name }: StepOf<TeamRequest>,
): Request | undefined {
  const { tenantId, merchant } = shop;
  const person = shop.people.get(name);
  const inviteId = shop.invites.get(name);
  const operators = `/client/tenants/${tenantId}/store-operators`;
  const invites = `/client/tenants/${tenantId}/store-operator-invites`;
  switch (asked) {
    case 'invite': {
      const body = { email: shop.addressOf(`${name}.0`, 'email') };
      return { method: 'POST', path: invites, body, token: merchant };
    }
    case 'withdraw':
      if (inviteId === undefined) return undefined;
      return { method: 'DELETE', path: `${invites}/${inviteId}`, token: merchant };
    case 'remove':
      if (person === undefined) return undefined;
      return { method: 'DELETE', path: `${operators}/${person.userId}`, token: merchant };
    case 'leave':
      if (person === undefined) return undefined;
      return { method: 'DELETE', path: `/pos/membership/${tenantId}`, token: person.token };
    default: {
      if (inviteId === undefined || person === undefined) return undefined;
      const path = `/auth/invites/${inviteId}/${asked}`;
      return { method: 'POST', path, body: {}, token: person.token };
    }
  }
}

/** Lets the 30 days of a person's invite pass, which its row decides. */
export async function lapse(
  { deployment, shop, model }: Play,
  { person }: StepOf<'lapse'>,
): Promise<void> {
  const id = shop.invites.get(person);
  if (id === undefined) return;
  const moved = await untilReached(async () => {
    const { rowCount } = await deployment.db.raw<{ rowCount: number }>(
      `update invites set created_at = created_at - interval '30 days',
         lapses_at = now() - interval '1 second'
       where id = :id and status = 'pending' and lapses_at > now()`,
      { id },
    );
    return rowCount;
  });
  if (moved > 0) model.lapsed(person);
}

/** Lets an administrator suspend a person or the merchant, or reinstate them. */
export async function suspend(
  { deployment, shop, model }: Pick<Play, 'deployment' | 'shop' | 'model'>,
  step: StepOf<'suspend' | 'reinstate'>,
): Promise<void> {
  const { person } = step;
  const userId = person === 'merchant' ? shop.merchantUserId : shop.people.get(person)?.userId;
  if (userId === undefined) return;
  const path = `/admin/users/${userId}/${step.do}`;
  const request = { method: 'POST', path, body: {}, token: shop.admin };
  await askFor(deployment.urls, z.unknown(), request);
  model.suspended(person, step.do === 'suspend');
}

/** Lets an administrator suspend the shop, or reinstate it. */
export async function suspendShop(
  { deployment, shop, model }: Pick<Play, 'deployment' | 'shop' | 'model'>,
  step: StepOf<'suspend-shop' | 'reinstate-shop'>,
): Promise<void> {
  const isSuspended = step.do === 'suspend-shop';
  const path = `/admin/tenants/${shop.tenantId}/${isSuspended ? 'suspend' : 'reinstate'}`;
  const request = { method: 'POST', path, body: {}, token: shop.admin };
  await askFor(deployment.urls, z.unknown(), request);
  model.suspendedShop(isSuspended);
}
