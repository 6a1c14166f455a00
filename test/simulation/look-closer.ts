import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { signStatement } from '../../activities/statements/sign-statements.ts';
import { ConfigSchema } from '../../config.ts';
import { beginDay } from '../../db/statements/movement.ts';
import { TenantId } from '../../domain/ids.ts';
import { statementKeysFor } from '../../gateways/crypto/statement-keys.ts';
import { chanceOf } from './chance.ts';
import { askFor } from './client.ts';
import { dayIn, dayOf } from './days.ts';
import { Contradiction } from './model.ts';
import type { Play } from './playing.ts';
import { Proof, problemsOfProof } from './proven.ts';
import { type Shown, shownOf, walk } from './shown.ts';
import { untilReached } from './until-reached.ts';

const LOOKS = {
  sales: explainSales,
  entries: explainEntries,
  proof: prove,
  statistics: compareDays,
};

/** Meanwhile a sale may become known that no webhook has told. */
const ATTEMPTS = 4;
const PAUSE_MS = 500;

/**
 * Looks at one more thing that the service says of the shop, which the seed draws. Throws a
 * Contradiction unless it agrees with what it shows elsewhere.
 */
export async function lookCloser(play: Play, first: Shown): Promise<void> {
  const look = play.chance.weighted({ sales: 3, entries: 3, proof: 2, statistics: 2 });
  const seed = play.chance.between(0, 1_000_000);
  for (let [attempt, shown] = [1, first]; ; attempt++) {
    try {
      return await LOOKS[look]({ ...play, chance: chanceOf(seed) }, shown);
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof Contradiction)) throw error;
    }
    await sleep(PAUSE_MS);
    shown = await shownOf(play);
  }
}

const Sale = z.object({
  id: z.string(),
  occurredAt: z.iso.datetime(),
  amountMinorUnits: z.int(),
  currency: z.string(),
  pointsAwarded: z.int(),
  pointsReversed: z.int(),
});
const Explained = z.object({ summary: z.string(), steps: z.array(z.string()).min(1) });

function salesOf(play: Play): Promise<z.infer<typeof Sale>[]> {
  const { tenantId, merchant: token } = play.shop;
  return walk(play, Sale, { path: `/client/tenants/${tenantId}/transactions`, token });
}

/** What is said in words of a sale names its points, and what refunds have taken of them. */
async function explainSales(play: Play): Promise<void> {
  const { deployment, shop, chance } = play;
  const sales = await salesOf(play);
  const sale = sales[chance.between(0, sales.length - 1)];
  if (sale === undefined) return;
  const path = `/client/tenants/${shop.tenantId}/transactions/${sale.id}/explain`;
  const { summary } = await askFor(deployment.urls, Explained, { path, token: shop.merchant });
  const { pointsAwarded: earned, pointsReversed: taken } = sale;
  const of = taken === 0 ? '' : `, of which ${taken} ${taken === 1 ? 'was' : 'were'} taken back`;
  const words = `${counted(earned)} ${earned === 1 ? 'was' : 'were'} credited${of}`;
  expectWords(summary, earned === 0 ? 'Nothing was credited' : words);
}

/** What is said in words of an entry names its points. */
async function explainEntries({ deployment, shop, chance }: Play, { wallets }: Shown) {
  const people = [...shop.people.values()];
  const entries = [...wallets].flatMap(([walletId, { userId, entries: own }]) => {
    const token = people.find((person) => person.userId === userId)?.token;
    return token === undefined ? [] : own.map((entry) => ({ walletId, token, ...entry }));
  });
  const entry = entries[chance.between(0, entries.length - 1)];
  if (entry === undefined) return;
  const path = `/consumer/wallets/${entry.walletId}/history/${entry.id}/explain`;
  const { summary } = await askFor(deployment.urls, Explained, { path, token: entry.token });
  expectWords(summary, counted(entry.points));
}

function counted(points: number): string {
  return points === 1 ? '1 point' : `${points} points`;
}

/** Sentences begin with a number at times, and it is not to be the end of another one. */
function expectWords(summary: string, words: string): void {
  if (` ${summary}`.includes(` ${words}`)) return;
  throw new Contradiction(`It is said that "${summary}", and not that ${words}.`);
}

/** A proof that is downloaded is right, and names the entries that are shown. */
async function prove(play: Play, { wallets }: Shown): Promise<void> {
  const { deployment, shop, chance } = play;
  const people = [...shop.people.values()];
  const owned = [...wallets].flatMap(([id, wallet]) => {
    const token = people.find(({ userId }) => userId === wallet.userId)?.token;
    return token === undefined ? [] : [{ id, token, entries: wallet.entries }];
  });
  const wallet = owned[chance.between(0, owned.length - 1)];
  if (wallet === undefined) return;
  if (chance.hits(0.7)) await signNow(play);
  const path = `/consumer/wallets/${wallet.id}/proof`;
  const proof = await askFor(deployment.urls, Proof, { path, token: wallet.token });
  const idsOf = (entries: readonly { id: string }[]) => entries.map(({ id }) => id).join(' ');
  const isWhole = idsOf(proof.entries) === idsOf(wallet.entries.toReversed());
  const problems = [
    ...problemsOfProof(proof),
    ...(isWhole ? [] : ['It has other entries than are shown']),
    ...(proof.walletId === wallet.id && proof.tenantId === shop.tenantId ? [] : ['Of another']),
  ];
  if (problems.length > 0) throw new Contradiction(`The proof: ${problems.join('. ')}.`);
}

/** Signs what has moved at the shop, as each night does. */
async function signNow({ deployment: { db, writings }, shop }: Play): Promise<void> {
  const tenantId = TenantId.parse(shop.tenantId);
  const { ENCRYPTION_KEY: encryptionKeys } = ConfigSchema.pick({ ENCRYPTION_KEY: true }).parse(
    writings.env,
  );
  const statementKeys = statementKeysFor({ encryptionKeys, publicKeys: [] });
  await untilReached(async () => {
    await beginDay(db);
    await db.raw(
      `insert into moved_wallets (tenant_id, wallet_id)
       select tenant_id, id from wallets where tenant_id = :tenantId and seq > 0
       on conflict do nothing`,
      { tenantId },
    );
    await signStatement({ db, statementKeys }, tenantId);
  });
}

const Statistics = z.object({
  timeZone: z.string(),
  intervals: z.array(
    z.object({
      from: z.iso.datetime(),
      sales: z.object({ count: z.int(), amountMinorUnits: z.int() }),
      pointsEarned: z.int(),
      pointsReversed: z.int(),
    }),
  ),
});
const DAY_MS = 86_400_000;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'] as const;

/** Each day of some clocks has the sales of the list that were made on it, and their points. */
async function compareDays(play: Play): Promise<void> {
  const { deployment, shop, chance, model } = play;
  const timeZone = chance.oneOf(ZONES);
  const days = chance.oneOf([3, 40]);
  const from = new Date(shop.openedAt - days * DAY_MS).toISOString();
  const to = new Date(shop.openedAt + 2 * DAY_MS).toISOString();
  const query = `from=${from}&to=${to}&interval=day&timeZone=${timeZone}`;
  const shown = await askFor(deployment.urls, Statistics, {
    path: `/client/tenants/${shop.tenantId}/statistics?${query}`,
    token: shop.merchant,
  });
  const sales = (await salesOf(play)).filter(({ occurredAt }) => occurredAt >= from);
  for (const interval of shown.intervals) {
    const day = dayOf(new Date(interval.from), timeZone);
    const own = sales.filter(({ occurredAt }) => dayOf(new Date(occurredAt), timeZone) === day);
    const counted = own.filter(({ currency }) => currency === model.world.currency);
    const sumOf = (of: typeof own, part: 'amountMinorUnits' | 'pointsAwarded' | 'pointsReversed') =>
      of.reduce((sum, sale) => sum + sale[part], 0);
    const expected = {
      sales: { count: own.length, amountMinorUnits: sumOf(counted, 'amountMinorUnits') },
      pointsEarned: sumOf(own, 'pointsAwarded'),
      pointsReversed: sumOf(own, 'pointsReversed'),
    };
    const { from: _, ...said } = interval;
    if (JSON.stringify(said) === JSON.stringify(expected)) continue;
    const what = `${JSON.stringify(said)}, and the list has ${JSON.stringify(expected)}`;
    throw new Contradiction(`Of ${timeZone}'s day ${day - dayIn('1970-01-01')}: ${what}.`);
  }
}
