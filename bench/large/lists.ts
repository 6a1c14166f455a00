import * as auditLog from '../../db/audit-log.ts';
import { listConnections } from '../../db/connections/overview.ts';
import * as eventOperations from '../../db/events/operations.ts';
import * as history from '../../db/ledger/history.ts';
import * as payments from '../../db/payments/payments.ts';
import * as consumers from '../../db/tenants/consumers.ts';
import { listShopViews, type ShopPosition } from '../../db/tenants/shop-views.ts';
import * as userAdmin from '../../db/users/admin.ts';
import type { ConnectionId, PaymentId, TenantId, WalletId } from '../../domain/ids.ts';
import { machineMs } from '../clock.ts';
import { type Options, repetitions } from '../options.ts';
import type { Section } from '../report.ts';
import { ISSUER } from '../settings.ts';
import { appendTo, percentile } from '../statistics.ts';
import type { Testbed } from '../testbed.ts';
import type { Built, Pair } from './pair.ts';

const DEPTH = 100;
/** Small pages, so that the small database has a hundred of each. */
const PAGE = 5;
/** It has a hundred tenants with a connection each. */
const PAGE_OF_TENANTS = 1;
/** How often each page is read in a repetition; the median counts. */
const READS = 15;
const BARS = { lists: 1.5, search: 2 } as const;

/** What the lists are of: consumer 0 has a long history, and tenant 0 many consumers. */
type Target = Built & { walletId: WalletId; tenantId: TenantId };

type List = {
  name: string;
  /** Reads the pages until the one before the last, and returns how to read the last. */
  walk(target: Target): Promise<() => Promise<number>>;
  rows: number;
};

/** Walks a list by its cursor, as a caller of the API does. */
function list<Row, Cursor>(
  name: string,
  rows: number,
  read: (target: Target, limit: number, after: Cursor | undefined) => Promise<Row[]>,
  cursorOf: (row: Row) => Cursor,
): List {
  return {
    name,
    rows,
    async walk(target) {
      let after: Cursor | undefined;
      for (let page = 1; page < DEPTH; page++) {
        const last = (await read(target, rows, after)).at(-1);
        if (last === undefined) throw new Error(`${name} ends at page ${page}.`);
        after = cursorOf(last);
      }
      return async () => (await read(target, rows, after)).length;
    },
  };
}

const LISTS: readonly List[] = [
  list(
    "a consumer's history",
    PAGE,
    ({ db, walletId }, limit, before: number | undefined) =>
      history.listOfWallet(db, walletId, { limit, before }),
    ({ seq }) => seq,
  ),
  list(
    "a merchant's transactions",
    PAGE,
    ({ db, tenantId }, limit, after: PaymentId | undefined) =>
      payments.listOfTenant(db, tenantId, { limit, after }),
    ({ id }) => id,
  ),
  list(
    "a merchant's consumers",
    PAGE,
    ({ db, tenantId }, limit, after: WalletId | undefined) =>
      consumers.listOfTenant(db, tenantId, { limit, after }),
    ({ walletId }) => walletId,
  ),
  list(
    'the audit log',
    PAGE,
    ({ db }, limit, before: number | undefined) => auditLog.list(db, { limit, before }),
    ({ seq }) => seq,
  ),
  list(
    'all tenants',
    PAGE_OF_TENANTS,
    ({ db }, limit, after: ShopPosition | undefined) =>
      listShopViews(db, { limit, after, days: 1 }),
    ({ id, needsAttention }) => ({ id, needsAttention }),
  ),
  list(
    'all connections',
    PAGE_OF_TENANTS,
    ({ db }, limit, after: ConnectionId | undefined) =>
      listConnections(db, { limit, after: after ?? null }),
    ({ id }) => id,
  ),
  {
    name: 'processed events',
    rows: DEPTH * PAGE,
    // It has no pages, but a limit.
    walk:
      async ({ db }) =>
      async () =>
        (await eventOperations.list(db, { kind: 'processed', limit: DEPTH * PAGE })).length,
  },
];

const SEARCHES: ReadonlyArray<{ name: string; text: string }> = [
  { name: 'search: an address', text: 'person1234@example.com' },
  { name: 'search: part of many addresses', text: 'person12' },
  { name: 'search: a phone number', text: '+4915100001234' },
  { name: 'search: nobody', text: 'nobody@nowhere.example' },
  { name: 'pending approval', text: '' },
];

type Figures = Map<Built, number[]>;

/** Measures page 100 of every list, and the search of administrators. */
export async function measureLists(
  testbed: Testbed,
  pair: Pair,
  options: Options,
): Promise<Section> {
  const targets = [await targetOf(pair.small), await targetOf(pair.large)] as const;
  const lists = new Map<string, Figures>();
  for (const each of LISTS) {
    testbed.log(`Lists: ${each.name}`);
    const [small, large] = [await each.walk(targets[0]), await each.walk(targets[1])];
    lists.set(each.name, await takeTurns(pair, { small, large }, options));
  }
  const searches = new Map<string, Figures>();
  for (const { name, text } of SEARCHES) {
    testbed.log(`Lists: ${name}`);
    const search = (db: Built['db']) => async () => (await userAdmin.search(db, text)).length;
    const reads = { small: search(pair.small.db), large: search(pair.large.db) };
    searches.set(name, await takeTurns(pair, reads, options));
  }
  return sectionOf(pair, lists, searches);
}

async function targetOf(built: Built): Promise<Target> {
  const { rows } = await built.db.raw<{ rows: { walletId: WalletId; tenantId: TenantId }[] }>(
    `select w.id as wallet_id, w.tenant_id from wallets w join users u on u.id = w.user_id
     where u.iss = :iss and u.sub = '0'`,
    { iss: ISSUER },
  );
  const [wallet] = rows;
  if (wallet === undefined) throw new Error('The built data have no consumer 0.');
  return { ...built, ...wallet };
}

async function takeTurns(
  pair: Pair,
  reads: Record<keyof Pair, () => Promise<number>>,
  options: Options,
): Promise<Figures> {
  const figures: Figures = new Map();
  const rounds = READS * repetitions(options).length;
  for (const name of ['small', 'large'] as const) await reads[name]();
  for (let round = 0; round < rounds; round++) {
    for (const name of ['small', 'large'] as const) {
      const started = machineMs();
      await reads[name]();
      appendTo(figures, pair[name], machineMs() - started);
    }
  }
  return figures;
}

function sectionOf(
  pair: Pair,
  lists: ReadonlyMap<string, Figures>,
  searches: ReadonlyMap<string, Figures>,
): Section {
  const all = [...lists, ...searches];
  const ms = (figures: Figures, built: Built) => percentile(figures.get(built) ?? [], 50);
  const ratio = (figures: Figures) => ms(figures, pair.large) / ms(figures, pair.small);
  const bar = (atMost: number) => (entry: readonly [string, Figures]) => ({
    figure: `${entry[0]}, large ÷ small`,
    value: ratio(entry[1]),
    atMost,
  });
  return {
    title: `Lists at page ${DEPTH}, and the search of administrators, ms`,
    note: `Pages of ${PAGE} rows, of tenants and connections ${PAGE_OF_TENANTS}; medians.`,
    columns: ['list', 'small', 'large', 'large ÷ small'],
    rows: all.map(([name, figures]) => [
      name,
      ms(figures, pair.small).toFixed(2),
      ms(figures, pair.large).toFixed(2),
      ratio(figures),
    ]),
    bars: [...[...lists].map(bar(BARS.lists)), ...[...searches].map(bar(BARS.search))],
  };
}
