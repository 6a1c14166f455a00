import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ask, askFor, outcomeOf } from './client.ts';
import {
  decideTiers,
  endCampaign,
  promise,
  publish,
  publishCampaign,
} from './perform-as-merchant.ts';
import { changeAccount } from './perform-at-accounts.ts';
import { burn, cancel, expire, race } from './perform-at-codes.ts';
import { erase } from './perform-at-erasures.ts';
import { endMonth } from './perform-at-months.ts';
import { performAtProvider } from './perform-at-provider.ts';
import { give } from './perform-at-receipts.ts';
import { endReward, getReward, publishReward } from './perform-at-rewards.ts';
import { changeTeam, lapse, suspend, suspendShop } from './perform-in-team.ts';
import type { Play } from './playing.ts';
import { issue, profileOf } from './shop.ts';

import type { Step, StepOf } from './steps.ts';
import { keepCode, walletOf } from './wallet-of.ts';

const Looked = z.object({ status: z.string() });

/** Does one step, and tells the model what happened and what was answered. */
export async function perform(play: Play, step: Step): Promise<void> {
  if (performAtProvider(play, step)) return;
  switch (step.do) {
    case 'sign-in':
      return signIn(play, step);
    case 'preview':
    case 'confirm':
      return redeem(play, step);
    case 'burn':
      return burn(play, step);
    case 'cancel-code':
      return cancel(play, step);
    case 'race':
      return race(play, step);
    case 'lookup':
      return lookup(play, step);
    case 'expire':
      return expire(play, step);
    case 'freeze':
    case 'unfreeze':
      return freeze(play, step);
    case 'adjust':
      return adjust(play, step);
    case 'rule':
      return publish(play, step);
    case 'programme':
      return promise(play, step);
    case 'decide-tiers':
      return decideTiers(play, step);
    case 'reward':
      return publishReward(play, step);
    case 'end-reward':
      return endReward(play, step);
    case 'get-reward':
      return getReward(play, step);
    case 'campaign':
      return publishCampaign(play, step);
    case 'end-campaign':
      return endCampaign(play);
    case 'expire-month':
      return endMonth(play, step);
    case 'give':
      return give(play, step);
    case 'invite':
    case 'accept':
    case 'decline':
    case 'withdraw':
    case 'leave':
    case 'remove':
      return changeTeam(play, step);
    case 'lapse':
      return lapse(play, step);
    case 'erase':
      return erase(play, step);
    case 'suspend':
    case 'reinstate':
      return suspend(play, step);
    case 'suspend-shop':
    case 'reinstate-shop':
      return suspendShop(play, step);
    case 'disconnect':
    case 'reconnect':
    case 'revoke':
    case 'rival':
    case 'foreign-account':
      return changeAccount(play, step);
    case 'wait':
      return sleep(step.ms);
    case 'fault':
      play.caused.push(play.faults.cause(step));
      return;
    default:
      return;
  }
}

async function signIn({ deployment, shop, model }: Play, step: StepOf<'sign-in'>): Promise<void> {
  const { person, email, phone, isVerified } = step;
  const erased = [...shop.erased.keys()].filter((ghost) => ghost.startsWith(`${person}-`));
  const nth = shop.people.get(person)?.nth ?? erased.length;
  // Who comes after somebody who was erased is another person, whatever the contacts.
  const sub = `${person}${nth}-${shop.tenantId}`;
  const name = `${person}${nth} of ${shop.mark}`;
  deployment.secrets.addContact(`${person}-${shop.mark}`, 'name', name);
  const token = await issue(deployment, {
    sub,
    name,
    ...(email !== null && { email: shop.addressOf(email, 'email'), email_verified: isVerified }),
    ...(phone !== null && {
      phone_number: shop.addressOf(phone, 'phone'),
      phone_number_verified: isVerified,
    }),
  });
  const { userId } = await profileOf(deployment.urls, token);
  shop.people.set(person, { sub, name, token, userId, nth });
  model.signedIn(person, { email, phone, isVerified });
  if (email === null || !isVerified) forgetMails(shop, person);
}

/** A code that was not mailed yet has no address any more. */
function forgetMails({ codes }: Play['shop'], person: string): void {
  for (const code of codes.values()) if (code.person === person) code.isMailed = false;
}

async function redeem(play: Play, step: StepOf<'preview' | 'confirm'>): Promise<void> {
  const { deployment, model } = play;
  const { person, share } = step;
  const wallet = await walletOf(play, person);
  if (wallet === undefined) return;
  const points = Math.max(1, Math.floor(wallet.balance * share));
  const answer = await ask(deployment.urls, {
    method: 'POST',
    path: `/consumer/wallets/${wallet.id}/redeem/${step.do}`,
    body: { pointsToRedeem: points },
    token: wallet.owner.token,
  });
  const outcome = outcomeOf(answer);
  if (step.do === 'preview') return model.previewed({ person, points }, outcome);
  model.confirmed({ person, points, code: step.code }, outcome);
  if (outcome === 'ok') keepCode(play, { person, code: step.code }, answer.body);
}

async function lookup({ deployment, shop, model }: Play, step: StepOf<'lookup'>): Promise<void> {
  const code = shop.codes.get(step.code);
  if (code === undefined) return;
  const { status } = await askFor(deployment.urls, Looked, {
    method: 'POST',
    path: '/pos/redemptions/lookup',
    body: { code: code.text },
    token: shop.operator,
  });
  model.lookedUp(step.code, status);
}

async function freeze(play: Play, step: StepOf<'freeze' | 'unfreeze'>): Promise<void> {
  const { deployment, shop, model } = play;
  const wallet = await walletOf(play, step.person);
  if (wallet === undefined) return;
  const path = `/admin/wallets/${wallet.id}/${step.do}`;
  const request = { method: 'POST', path, body: {}, token: shop.admin };
  await askFor(deployment.urls, z.unknown(), request);
  model.froze(step.person, step.do === 'freeze');
}

async function adjust(play: Play, { person, points }: StepOf<'adjust'>): Promise<void> {
  const { deployment, shop, model } = play;
  const wallet = await walletOf(play, person);
  if (wallet === undefined) return;
  const answer = await ask(deployment.urls, {
    method: 'POST',
    path: `/admin/wallets/${wallet.id}/adjust`,
    body: { points, reason: 'The simulation wanted it.' },
    token: shop.admin,
  });
  model.adjusted(person, points, outcomeOf(answer));
}
