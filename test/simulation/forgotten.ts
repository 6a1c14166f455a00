import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../db/connection.ts';
import * as proofs from '../../db/statements/proofs.ts';
import { numberOf } from '../../db/users/members.ts';
import { UserId } from '../../domain/ids.ts';
import { WalletProof } from '../../domain/wallet-proof.ts';
import { checkProof } from '../../gateways/crypto/proof-check.ts';
import { tablesWith } from '../support/database/table-texts.ts';
import { ask, askFor, outcomeOf } from './client.ts';
import type { Deployment } from './deployment.ts';
import { Contradiction } from './model.ts';
import type { Play } from './playing.ts';
import type { Person } from './shop.ts';
import { untilReached } from './until-reached.ts';

/** What is known of a person before they are erased, and the proof of their wallet of then. */
export type Remembered = { values: string[]; proof: WalletProof | undefined };

/** Remembers what must not be found of a person any more once they are erased. */
export async function rememberPerson(
  { deployment, shop, model }: Play,
  { person, known, wallet }: { person: string; known: Person; wallet: { id: string } | undefined },
): Promise<Remembered> {
  const { db, urls } = deployment;
  const memberNumber = await untilReached(() => numberOf(db, UserId.parse(known.userId)));
  const values = [known.name, known.sub, memberNumber];
  const { email, phone, isVerified } = model.world.accounts.get(person) ?? { isVerified: false };
  // An invite to an address that is not verified is not theirs, and stays.
  if (isVerified && email) values.push(shop.addressOf(email, 'email'));
  if (isVerified && phone) values.push(shop.addressOf(phone, 'phone'));
  const request = { path: `/consumer/wallets/${wallet?.id}/proof`, token: known.token };
  const proof = wallet && (await askFor(urls, WalletProof, request));
  return { values, proof };
}

/** No payment of those who were erased says whose it was, whatever became of it since. */
export async function expectNameless(db: Db, userIds: readonly string[]): Promise<void> {
  const named = await untilReached(() =>
    db('payments')
      .whereIn('userId', [...userIds])
      .whereRaw('num_nonnulls(provider_customer_id, email_fingerprint, phone_fingerprint) > 0')
      .first('id', 'userId'),
  );
  if (named === undefined) return;
  throw new Contradiction(`Payment ${named.id} of ${named.userId} says whose it was.`);
}

/** The tokens of somebody who was erased are refused. */
export async function expectRefused(
  { deployment: { urls } }: Play,
  { token }: Person,
): Promise<void> {
  for (const path of ['/auth/me', '/consumer/wallets']) {
    const outcome = outcomeOf(await ask(urls, { path, token }));
    if (outcome === 'token_invalid') continue;
    throw new Contradiction(`Who was erased asked for ${path}, and was answered ${outcome}.`);
  }
}

/** Bodies of sales that named the contacts are of whoever will sign in with them. */
const OF_OTHERS = ['webhook_bodies', 'pending_events'];

/** No table holds a value of somebody who was erased, and the proof of before is still right. */
export async function expectForgotten(
  { db }: Deployment,
  { userId }: Person,
  { values, proof }: Remembered,
): Promise<void> {
  const tables = await untilReached(() => tablesWith(db, values, OF_OTHERS));
  if (tables.length > 0) throw new Contradiction(`${userId} is still in ${tables.join(', ')}.`);
  await expectNameless(db, [userId]);
  if (proof === undefined) return;
  const all = await untilReached(() => proofs.listEntries(db, proof.walletId, 10_000));
  const isSame = isDeepStrictEqual(all.slice(0, proof.entries.length), proof.entries);
  if (!isSame || checkProof(proof).problems.length > 0) {
    throw new Contradiction(`The history of ${proof.walletId} is another than before.`);
  }
}
