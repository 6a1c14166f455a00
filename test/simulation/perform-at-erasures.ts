import { z } from 'zod';
import { erasePerson } from '../../activities/erasures.ts';
import { createIngestPolicy } from '../../activities/ingestion/decide/ingest-policy.ts';
import { ConfigSchema } from '../../config.ts';
import type { Db } from '../../db/connection.ts';
import * as erasures from '../../db/users/erasures.ts';
import { UserId } from '../../domain/ids.ts';
import { createSealer, createSubkeys } from '../../gateways/crypto/sealer.ts';
import { Lost, lostAt } from '../support/database/lost-connection.ts';
import { ask, askFor, outcomeOf } from './client.ts';
import type { Deployment } from './deployment.ts';
import { expectForgotten, expectRefused, rememberPerson } from './forgotten.ts';
import type { Play } from './playing.ts';
import type { Person } from './shop.ts';
import type { StepOf } from './steps.ts';
import { untilReached } from './until-reached.ts';
import { keepCode, walletOf } from './wallet-of.ts';

type Wallet = NonNullable<Awaited<ReturnType<typeof walletOf>>>;

/**
 * Has a person erased at once, who asks for a code at the same moment. From then on they are
 * called otherwise, and whoever signs in with their contacts is somebody new.
 */
export async function erase(play: Play, step: StepOf<'erase'>): Promise<void> {
  const { deployment, shop, model } = play;
  const { person, by, isWithdrawn } = step;
  const known = shop.people.get(person);
  if (known === undefined) return;
  const own = { path: '/consumer/erasure', token: known.token, body: { confirm: 'ERASE' } };
  const theirs = { path: `/admin/users/${known.userId}/erase`, token: shop.admin };
  const asking = by === 'person' ? own : { ...theirs, body: { reason: 'They asked for it.' } };
  const outcome = outcomeOf(await ask(deployment.urls, { method: 'POST', ...asking }));
  model.askedToErase(person, by, outcome);
  if (outcome !== 'ok') return;
  if (isWithdrawn) {
    const { path, token } = asking;
    await askFor(deployment.urls, z.unknown(), { method: 'DELETE', path, token });
    return;
  }
  const wallet = await walletOf(play, person);
  const remembered = await rememberPerson(play, { person, known, wallet });
  const [code] = await Promise.all([redeem(play, wallet, step), eraseNow(deployment, known, step)]);
  const ghost = `${person}-${known.nth}`;
  model.erased(person, ghost, code);
  shop.erased.set(ghost, known);
  shop.people.delete(person);
  if (!model.world.invites.has(person)) shop.invites.delete(person);
  await expectRefused(play, known);
  await expectForgotten(deployment, known, remembered);
}

/** Does what the operators' command does, several times at once; a run before may be lost. */
async function eraseNow(
  { db, databaseUrl, writings }: Deployment,
  { userId: text }: Person,
  { runs, lostAfter }: StepOf<'erase'>,
): Promise<void> {
  const userId = UserId.parse(text);
  const { ENCRYPTION_KEY: ring } = ConfigSchema.pick({ ENCRYPTION_KEY: true }).parse(writings.env);
  const { fingerprints: contactProofs } = createSealer(createSubkeys(ring, 'contact proofs'));
  const ingestPolicy = createIngestPolicy('reverse', ring);
  const run = async (on: Db) => {
    const erasure = await erasures.find(on, userId);
    if (erasure === undefined) throw new Error('No erasure of this person is scheduled.');
    return erasePerson({ db: on, contactProofs, ingestPolicy }, erasure);
  };
  if (lostAfter !== null) await lose(databaseUrl, lostAfter, run);
  const done = await Promise.all(Array.from({ length: runs }, () => untilReached(() => run(db))));
  if (done.includes(false)) throw new Error(`The erasure of ${userId} was withdrawn.`);
}

async function lose(url: string, nth: number, run: (db: Db) => Promise<unknown>): Promise<void> {
  const db = lostAt(/^\s*(with|select|insert|update|delete)/i, url, nth);
  try {
    await untilReached(async () => {
      try {
        await run(db);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
      }
    });
  } finally {
    await db.destroy();
  }
}

/** Asks for a code of all that the person has; it may be refused, as they are being erased. */
async function redeem(
  { deployment, shop, model }: Play,
  wallet: Wallet | undefined,
  { person, code }: StepOf<'erase'>,
): Promise<{ points: number; code: string } | undefined> {
  if (wallet === undefined) return undefined;
  const points = Math.max(1, wallet.balance);
  const path = `/consumer/wallets/${wallet.id}/redeem/confirm`;
  const body = { pointsToRedeem: points };
  const request = { method: 'POST', path, body, token: wallet.owner.token };
  const answer = await ask(deployment.urls, request);
  if (outcomeOf(answer) !== 'ok') return undefined;
  keepCode({ deployment, shop, model }, { person, code }, answer.body);
  return { points, code };
}
