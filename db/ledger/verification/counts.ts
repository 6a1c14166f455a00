import type { TenantId } from '../../../domain/ids.ts';
import type { LedgerViolation } from '../../../domain/ledger-report.ts';
import { PROVIDERS, type Provider } from '../../../domain/payment.ts';
import type { Db } from '../../connection.ts';
import type { ConnectionCount } from '../../connections/counts.ts';
import { one } from '../../one.ts';
import type { Counted } from '../../tenants/statistics.ts';
import { type Findings, inSlice, SLICE } from './statements.ts';

// Compares kept counts with the rows that they count. What a tenant's count says is about rows from
// before a moment, which never change in number, so it can be compared while sales run, in any
// number of statements, and also after the count has moved on.

/** What a kept count says: so many rows of the tenant were created before a moment. */
type Claim = { tenantId: TenantId; counted: Counted; number: number; before: string };

const KINDS: readonly Counted[] = ['wallets', 'payments'];

/** Which counts a step verifies: of a range of tenants, its start exclusive, or of these. */
export type CountSelection =
  | { after: string; until: string; limit: number }
  | { ids: readonly string[] };

export type VerifiedCounts = Findings & { rows: number; last: string | null };

/**
 * Compares the counts of the next tenants, about `limit` rows of them but at least one tenant.
 * `last` is the last tenant, null when no other has a count; `rows` is how many rows were counted.
 * Counts of more than `piece` rows are compared in pieces of so many.
 */
export async function verifyCounts(
  db: Db,
  selection: CountSelection,
  piece: number = SLICE.sources,
): Promise<VerifiedCounts> {
  const claims = await readClaims(db, selection);
  const violations: LedgerViolation[] = [];
  for (const claim of await differing(
    db,
    claims.filter(({ number }) => number <= piece),
  )) {
    violations.push(violationOf(claim, claim.found));
  }
  for (const claim of claims.filter(({ number }) => number > piece)) {
    const found = await countInPieces(db, claim, piece);
    if (found !== claim.number) violations.push(violationOf(claim, found));
  }
  return {
    violations,
    rowIds: [...new Set(violations.flatMap(({ tenantId }) => tenantId ?? []))],
    rows: claims.reduce((sum, { number }) => sum + number + 1, 0),
    last: claims.at(-1)?.tenantId ?? null,
  };
}

/** Finds providers whose kept counts of connections are not those of the connections. */
export async function verifyConnectionCounts(db: Db): Promise<LedgerViolation[]> {
  type Row = ConnectionCount & { provider: Provider; keptActive: number; keptReconnect: number };
  const { rows } = await inSlice(db, true, (tx) =>
    tx.raw<{ rows: Row[] }>(
      `select p.name as provider, n.active, n.reconnect, c.active as kept_active,
         c.reconnect as kept_reconnect
       from unnest(:providers::text[]) as p(name)
       cross join lateral (
         select count(*) as active, count(needs_reconnect_since) as reconnect
         from pos_connections where provider = p.name and status = 'active'
       ) n
       cross join lateral (
         select sum(active)::bigint as active, sum(reconnect)::bigint as reconnect,
           bool_or(slot = 0) as is_whole
         from connection_counts where provider = p.name
       ) c
       where c.is_whole and (n.active, n.reconnect) <> (c.active, c.reconnect)`,
      { providers: [...PROVIDERS] },
    ),
  );
  return rows.map(({ provider, active, reconnect, keptActive, keptReconnect }) => {
    const kept = `${keptActive} connections of ${provider}, ${keptReconnect} to reconnect`;
    const problem = `${kept}, are counted, and there are ${active} and ${reconnect}`;
    return { walletId: null, tenantId: null, seq: null, problem: `${problem}: ${recount('')}` };
  });
}

function violationOf({ tenantId, counted, number, before }: Claim, found: number): LedgerViolation {
  const has = found > number ? `there are at least ${number + 1}` : `there are ${found}`;
  const problem = `${number} ${counted} before ${before} are counted, and ${has}`;
  return { walletId: null, tenantId, seq: null, problem: `${problem}: ${recount(tenantId)}` };
}

const recount = (tenantId: string) => `run npm run ops -- recount ${tenantId}`.trimEnd();

/** Reads all claims of the tenants, or those of the next ones up to the limit. */
async function readClaims(db: Db, selection: CountSelection): Promise<Claim[]> {
  if ('ids' in selection) return read(db, 'tenant_id = any(:ids)', { ...selection, most: null });
  const { after, until, limit } = selection;
  // One more than the counts of so many tenants, so that only the last tenant may be cut.
  const most = KINDS.length * Math.min(limit, SLICE.wallets) + 1;
  const range = 'tenant_id > :after and tenant_id <= :until';
  const claims = await read(db, range, { after, until, most });
  const cut = claims.length === most ? claims.at(-1)?.tenantId : undefined;
  const chosen: Claim[] = [];
  let rows = 0;
  for (const claim of claims) {
    const isNext = claim.tenantId !== chosen.at(-1)?.tenantId;
    if (claim.tenantId === cut || (isNext && rows >= limit)) break;
    chosen.push(claim);
    rows += claim.number + 1;
  }
  return chosen;
}

async function read(db: Db, chosen: string, bindings: object): Promise<Claim[]> {
  const { rows } = await db.raw<{ rows: Claim[] }>(
    `select tenant_id, counted, number, created_before::text as before from tenant_counts
     where ${chosen} order by tenant_id, counted limit :most`,
    { ...bindings },
  );
  return rows;
}

/** Returns the claims that are wrong, each counted up to one more than it says. */
async function differing(db: Db, claims: readonly Claim[]): Promise<(Claim & { found: number })[]> {
  const { rows } = await inSlice(db, true, (tx) =>
    tx.raw<{ rows: (Claim & { found: number })[] }>(
      `select c.tenant_id, c.counted, c.number, c.before, found.number as found
       from unnest(:tenantIds::uuid[], :counted::text[], :numbers::bigint[], :before::text[])
         as c(tenant_id, counted, number, before)
       cross join lateral (
         select count(*) as number from (${KINDS.map(rowsUpTo).join(' union all ')}) rows
       ) found
       where found.number <> c.number`,
      {
        tenantIds: claims.map(({ tenantId }) => tenantId),
        counted: claims.map(({ counted }) => counted),
        numbers: claims.map(({ number }) => number),
        before: claims.map(({ before }) => before),
      },
    ),
  );
  return rows;
}

const rowsUpTo = (table: Counted) => `(
  select from ${table} r
  where c.counted = '${table}' and r.tenant_id = c.tenant_id
    and r.created_at < c.before::timestamptz
  limit c.number + 1)`;

async function countInPieces(
  db: Db,
  { tenantId, counted, before }: Claim,
  piece: number,
): Promise<number> {
  let found = 0;
  let from: { at: string; id: string } = { at: '-infinity', id: FIRST };
  for (;;) {
    const bindings = { tenantId, before, ...from, piece };
    const { rows } = await inSlice(db, true, (tx) =>
      tx.raw<{ rows: { number: number; at: string | null; id: string | null }[] }>(
        `with piece as materialized (
           select created_at, id from ${counted}
           where tenant_id = :tenantId and created_at < :before::timestamptz
             and (created_at, id) > (:at::timestamptz, :id::uuid)
           order by created_at, id limit :piece
         ),
         last as (select * from piece order by created_at desc, id desc limit 1)
         select (select count(*) from piece) as number,
           (select created_at::text from last) as at, (select id from last) as id`,
        bindings,
      ),
    );
    const { number, at, id } = one(rows, 'piece');
    found += number;
    if (number < piece || at === null || id === null) return found;
    from = { at, id };
  }
}

const FIRST = '00000000-0000-0000-0000-000000000000';
