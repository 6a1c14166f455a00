import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../sandbox/providers/shared/random.ts';
import { ask, type Caller, type Sent } from './caller.ts';
import type { Recorded } from './history.ts';
import { makeOverdue } from './overdue.ts';
import { refund, ring, type Sale, type Till } from './register.ts';
import type { Service } from './service.ts';
import type { WalletRequest } from './wallet.ts';

/** A wallet, and all who act on it. */
export type TestedWallet = Till & {
  walletId: string;
  rewardId: string;
  consumer: string;
  operators: readonly string[];
  admin: string;
};

/** What happens on one wallet, as it is recorded. */
export type Play = {
  history: Recorded[];
  codes: string[];
  /** The id of each code's redemption. */
  idsOfCodes: Map<string, string>;
  sales: Sale[];
};

/** What happens in the database: the time of a code runs out, or a register reports something. */
type Deed = 'make overdue' | 'ring' | 'refund';

type Player = {
  name: string;
  token: string;
  /** What the player asks for next; undefined to wait. */
  choose(random: Random, codes: readonly string[]): Sent | Deed | undefined;
};

const THINKING_MS = 30;
const ATTEMPTS = 60;
/** Of the requests that change something, in percent. */
const [KEYED, SENT_TWICE] = [75, 20];

/**
 * Lets a consumer on two devices, two operators, two registers and an administrator act on the
 * wallet at the same time, and some codes run out of time. Each does `steps` things, and sends a
 * request under a key again until it is answered, as apps do.
 */
export async function play(
  service: Service,
  wallet: TestedWallet,
  { seed, steps }: { seed: number; steps: number },
): Promise<Play> {
  const played: Play = { history: [], codes: [], idsOfCodes: new Map(), sales: [] };
  await Promise.all(
    playersOf(wallet).map(async (player, nth) => {
      const random = new Random(seed * 1_000 + nth);
      for (let step = 0; step < steps; step++) {
        await sleep(random.next() % THINKING_MS);
        const request = player.choose(random, played.codes);
        if (request === undefined) continue;
        const key = `${player.name} ${step}`.replaceAll(' ', '-');
        const { idsOfCodes } = played;
        const caller = { ...wallet, ...player, idsOfCodes };
        const by = { played, key, random };
        if (typeof request === 'string') await perform(service, { ...by, deed: request }, caller);
        else await act(service, { ...by, request }, caller);
      }
    }),
  );
  return played;
}

type Step = {
  played: Play;
  key: string;
  random: Random;
};

async function perform(
  { db }: Service,
  { played, key, random, deed }: Step & { deed: Deed },
  caller: Caller & Till,
): Promise<void> {
  const { history, codes, sales } = played;
  if (deed === 'make overdue') {
    const code = codes[random.next() % Math.max(1, codes.length)];
    if (code !== undefined) await makeOverdue(db, code, history);
    return;
  }
  const times = random.next() % 100 < SENT_TWICE ? 2 : 1;
  const ringing = { db, caller: caller.name, times, history };
  if (deed === 'ring') {
    const amount = 20 + (random.next() % 200);
    sales.push(await ring(caller, { sale: key, amount }, ringing));
    return;
  }
  const sold = sales.at(-1 - (random.next() % 3));
  const left = sold === undefined ? 0 : sold.amount - sold.refunded;
  if (sold === undefined || left === 0) return;
  const minorUnits = random.next() % 2 === 0 ? left : 1 + (random.next() % left);
  await refund(caller, { sold, minorUnits }, ringing);
}

async function act(
  service: Service,
  { played, request, key, random }: Step & { request: Sent },
  caller: Caller,
): Promise<void> {
  const { history, codes } = played;
  const url = () => service.urls[random.next() % service.urls.length] ?? '';
  const isKeyed = CHANGES.has(request.kind) && random.next() % 100 < KEYED;
  const attempts = isKeyed ? ATTEMPTS : 1;
  const persist = async () => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const asked = isKeyed ? { ...request, key } : request;
      const { answer, again } = await ask(caller, asked, { url: url(), history });
      const [, code] = /^code (\S+)/.exec(answer ?? '') ?? [];
      if (code !== undefined && !codes.includes(code)) codes.push(code);
      if (!again) return;
    }
  };
  const isTwice = isKeyed && random.next() % 100 < SENT_TWICE;
  await Promise.all(isTwice ? [persist(), persist()] : [persist()]);
}

const CHANGES: ReadonlySet<WalletRequest['kind']> = new Set([
  'confirm',
  'take',
  'complete',
  'cancel',
  'adjust',
  'freeze',
  'unfreeze',
]);

function playersOf({ consumer, operators, admin }: TestedWallet): Player[] {
  return [
    { name: 'phone', token: consumer, choose: asConsumer },
    { name: 'tablet', token: consumer, choose: asConsumer },
    ...operators.map((token, nth) => ({ name: `till ${nth + 1}`, token, choose: asOperator })),
    { name: 'office', token: admin, choose: asAdmin },
    { name: 'clock', token: '', choose: asClock },
    // Debts are as old as their refunds: those of one wallet come one after the other.
    { name: 'register 1', token: '', choose: asRegister },
    { name: 'register 2', token: '', choose: asRegisterForSales },
  ];
}

const asConsumer: Player['choose'] = (random, codes) => {
  const points = 10 + (random.next() % 400);
  const dice = random.next() % 100;
  if (dice < 34) return { kind: 'confirm', points, code: '' };
  if (dice < 48) return { kind: 'take', code: '' };
  if (dice < 54) return { kind: 'preview', points };
  if (dice < 66) {
    const code = youngOf(codes, random);
    return code === undefined ? undefined : { kind: 'cancel', code };
  }
  return { kind: dice < 83 ? 'balance' : 'history' };
};

const asOperator: Player['choose'] = (random, codes) => {
  const code = youngOf(codes, random);
  if (code === undefined) return undefined;
  return { kind: random.next() % 100 < 50 ? 'complete' : 'lookup', code };
};

/** One of the youngest, so that several ask for the same one. */
function youngOf(codes: readonly string[], random: Random): string | undefined {
  return codes.at(-1 - (random.next() % 3));
}

const asAdmin: Player['choose'] = (random) => {
  const dice = random.next() % 100;
  if (dice < 15) return { kind: 'freeze' };
  if (dice < 40) return { kind: 'unfreeze' };
  const points = 1 + (random.next() % 300);
  // Much is taken at once, so that refunds find less than they take.
  return { kind: 'adjust', points: dice < 70 ? points : -3 * points };
};

const asClock: Player['choose'] = (random) =>
  random.next() % 100 < 35 ? 'make overdue' : undefined;

const asRegister: Player['choose'] = (random) => (random.next() % 100 < 45 ? 'ring' : 'refund');

const asRegisterForSales: Player['choose'] = (random) =>
  random.next() % 100 < 50 ? 'ring' : undefined;
