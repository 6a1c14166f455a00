import { setTimeout as sleep } from 'node:timers/promises';
import { verifyLedger } from '../../db/ledger/verification/whole.ts';
import { type TenantId, UserId } from '../../domain/ids.ts';
import { Random } from '../../sandbox/providers/shared/random.ts';
import { aCampaign, aReward, aRule, aTenant, aWallet, required } from '../support/factories.ts';
import { tokenFor } from '../support/people/tokens.ts';
import { aTill } from '../support/points/payments.ts';
import { ask, type Caller } from './caller.ts';
import { check, type Verdict } from './checker.ts';
import { type Fault, strike } from './faults.ts';
import { judged, lineOf, type Recorded } from './history.ts';
import { untilExpired } from './overdue.ts';
import { type Play, play, type TestedWallet } from './players.ts';
import type { Service } from './service.ts';
import { type WalletRequest, walletOf } from './wallet.ts';

export type Round = { seed: number; wallets: number; steps: number; fault?: Fault };

export type RoundResult = {
  histories: number;
  operations: number;
  /** Operations whose caller never learnt what they came to. */
  unknown: number;
  /** Histories with so much at the same moment that no verdict was found: they show nothing. */
  undecided: number;
  /** For people: each history that no single wallet explains. */
  violations: string[];
};

const BALANCE = 600;
const TERMS = {
  minBalance: 100,
  maxShare: 60,
  reward: { price: 60, stock: 3 },
  campaign: { percent: 150, budget: 150 },
};
/** Everyone is at work by then. */
const FAULT_AFTER_MS = 300;

/** Plays on several new wallets at once, with a fault amid it, and judges what was recorded. */
export async function playRound(service: Service, round: Round): Promise<RoundResult> {
  const wallets: TestedWallet[] = [];
  for (let count = 0; count < round.wallets; count++) wallets.push(await aTestedWallet(service));
  const random = new Random(round.seed);
  const [plays] = await Promise.all([
    Promise.all(
      wallets.map((wallet, nth) =>
        play(service, wallet, { seed: round.seed * 100 + nth, steps: round.steps }),
      ),
    ),
    causeFault(service, round.fault, () => random.next()),
  ]);
  const none = { histories: 0, operations: 0, unknown: 0, undecided: 0 };
  const result: RoundResult = { ...none, violations: [] };
  for (const [nth, played] of plays.entries()) {
    const history = judged(await ended(service, required(wallets[nth]), played));
    result.histories += 1;
    result.operations += history.filter(({ request }) => request.kind !== 'look').length;
    result.unknown += history.filter(({ answer }) => answer === undefined).length;
    const verdict = check(walletOf(BALANCE, TERMS), history);
    if (verdict.is === 'undecided') result.undecided += 1;
    if (verdict.is !== 'not linearizable') continue;
    result.violations.push(violationOf(history, verdict, `seed ${round.seed}, wallet ${nth}`));
  }
  const { violations } = await verifyLedger(service.db);
  result.violations.push(...violations.map((violation) => JSON.stringify(violation)));
  return result;
}

async function causeFault(service: Service, fault: Fault | undefined, random: () => number) {
  if (fault === undefined) return;
  await sleep(FAULT_AFTER_MS);
  await strike(fault, service, random);
}

async function aTestedWallet({ db, issuer }: Service): Promise<TestedWallet> {
  const tenantId = await aTenant(db);
  const { minBalance, maxShare, reward, campaign } = TERMS;
  await aRule(db, tenantId, { minBalanceToRedeem: minBalance, maxRedemptionPercentage: maxShare });
  const { percent, budget } = campaign;
  await aCampaign(db, tenantId, { multiplier: percent / 100, budgetPoints: budget });
  const priced = { pricePoints: reward.price, valueMinorUnits: reward.price };
  const email = `${tenantId}@example.com`;
  const consumer = await tokenFor(db, issuer, { role: 'consumer', email });
  const user = required(await db('users').where({ email }).first<{ id: string }>('id'));
  const userId = UserId.parse(user.id);
  return {
    tenantId,
    email,
    report: await aTill(db, tenantId),
    walletId: await aWallet(db, { balance: BALANCE, userId, tenantId }),
    rewardId: await aReward(db, tenantId, { ...priced, stock: reward.stock }),
    consumer,
    operators: [await operatorOf(tenantId), await operatorOf(tenantId)],
    admin: await tokenFor(db, issuer, { role: 'admin' }),
  };

  function operatorOf(member: TenantId): Promise<string> {
    return tokenFor(db, issuer, { role: 'pos_operator', member });
  }
}

/** The history with its end: every overdue code expired, and everything read once more. */
async function ended(
  service: Service,
  { walletId, rewardId, consumer, operators }: TestedWallet,
  { history, codes, idsOfCodes }: Play,
): Promise<Recorded[]> {
  const reader = { name: 'end', token: consumer, walletId, rewardId, idsOfCodes };
  await untilServing(service, reader);
  const closed = await untilExpired(service.db, history);
  const [url = ''] = service.urls;
  for (const kind of ['balance', 'history'] as const) {
    await ask(reader, { kind }, { url, history: closed });
  }
  const till = { ...reader, token: operators[0] ?? '' };
  for (const code of codes) await ask(till, { kind: 'lookup', code }, { url, history: closed });
  return closed;
}

/** After a fault, each process needs a moment to reopen its connections. */
async function untilServing({ urls }: Service, reader: Caller): Promise<void> {
  for (const url of urls) {
    for (let attempt = 0; attempt < ATTEMPTS_TO_SERVE; attempt++) {
      const { answer } = await ask(reader, { kind: 'balance' }, { url, history: [] });
      if (answer !== undefined) break;
    }
  }
}

const ATTEMPTS_TO_SERVE = 100;

function violationOf(
  history: readonly Recorded[],
  verdict: Extract<Verdict<WalletRequest>, { is: 'not linearizable' }>,
  name: string,
): string {
  const lines = history.map(lineOf).join('\n  ');
  const stuck = verdict.stuck.map(({ request, answer, start }) => {
    return `${start.toFixed(1)} ${JSON.stringify(request)} -> ${answer ?? 'unknown'}`;
  });
  return (
    `${name}: not linearizable. After ${verdict.order.length} of ${history.length} operations ` +
    `none of these can come next:\n  ${stuck.join('\n  ')}\nThe history:\n  ${lines}`
  );
}
