import pg from 'pg';
import { z } from 'zod';
import type { Db, Tx } from '../../../db/connection.ts';

// Explains the statements of real functions: they are captured while a function runs in a
// transaction that is rolled back, then run once more with `explain analyze`, each after those
// before it, so that it meets the same rows.

/** A statement, and whether Postgres may keep its plan. */
export type Statement = { sql: string; bindings: readonly unknown[]; isKept: boolean };

const Plan = z.looseObject({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Actual Rows': z.number().default(0),
  'Actual Loops': z.number().default(0),
  'Rows Removed by Filter': z.number().default(0),
  'Rows Removed by Index Recheck': z.number().default(0),
  'Rows Removed by Join Filter': z.number().default(0),
  'Heap Fetches': z.number().default(0),
  'Shared Hit Blocks': z.number().default(0),
  'Shared Read Blocks': z.number().default(0),
  get Plans() {
    return z.array(Plan).default([]);
  },
});
export type Plan = z.infer<typeof Plan>;
const Explained = z.tuple([z.looseObject({ Plan })]);

export type Explained = Statement & { plan: Plan };

/** Whether plans know the values of their parameters, as those that are kept do not. */
export type PlanMode = 'force_generic_plan' | 'force_custom_plan';

type Query = { sql: string; bindings?: unknown[]; options?: { name?: string } };

/** Runs the work, rolls it back, and returns the statements that it ran. */
export async function capture(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const note = ({ sql, bindings = [], options }: Query) => {
    statements.push({ sql, bindings, isKept: options?.name !== undefined });
  };
  const tx = await db.transaction();
  tx.on('query', note);
  try {
    await work(tx);
  } catch (error) {
    // That there is no such row is an answer; an error of Postgres is not.
    if (error instanceof pg.DatabaseError) throw error;
  } finally {
    tx.removeListener('query', note);
    await tx.rollback();
  }
  return statements.filter(({ sql }) => !/^rollback;?$/i.test(sql));
}

/** Runs the statements, rolls them back, and returns the plans of those that have one. */
export async function explain(
  client: pg.Client,
  statements: readonly Statement[],
  mode: PlanMode,
): Promise<Explained[]> {
  const explained: Explained[] = [];
  await client.query('begin');
  try {
    await client.query(`set local plan_cache_mode = ${mode}`);
    for (const statement of statements) {
      const hasPlan = /^[\s(]*(select|with|insert|update|delete)\b/i.test(statement.sql);
      if (hasPlan) explained.push({ ...statement, plan: await planOf(client, statement) });
      else await client.query(statement.sql);
    }
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
  }
  return explained;
}

async function planOf(client: pg.Client, { sql, bindings }: Statement): Promise<Plan> {
  await client.query(`prepare explained as ${sql}`);
  const values = bindings.length === 0 ? '' : `(${bindings.map(literalOf).join(', ')})`;
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) execute explained${values}`,
  );
  await client.query('deallocate explained');
  return Explained.parse(rows[0]['QUERY PLAN'])[0].Plan;
}

/** A value as the driver sends it, as a literal. */
function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return pg.escapeLiteral(textOf(value));
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function elementOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return `"${textOf(value).replace(/[\\"]/g, '\\$&')}"`;
}

/** Returns a plan and all plans below it. */
export function nodesOf(plan: Plan): Plan[] {
  return [plan, ...plan.Plans.flatMap(nodesOf)];
}
