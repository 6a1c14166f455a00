import type { Knex } from 'knex';
import type { Installation } from '../domain/installation.ts';
import type { RawConnection } from './session-settings.ts';

/** The database is of another installation, or has no schema. */
export class WrongInstallation extends Error {
  override readonly name = 'WrongInstallation';
}

const KIND = 'select kind from installation';
const UNDEFINED_TABLE = '42P01';

/** Writes what the database is for, unless that is said already. */
export async function write(tx: Knex.Transaction, kind: Installation): Promise<void> {
  await tx('installation').insert({ kind }).onConflict('is_only').ignore();
}

/** Returns what the database is for; undefined when it has no schema. */
export async function find(db: Knex): Promise<string | undefined> {
  const table = await db.raw<{ rows: unknown[] }>(
    `select from pg_class where oid = to_regclass('public.installation')`,
  );
  if (table.rows.length === 0) return undefined;
  const { rows } = await db.raw<{ rows: { kind: string }[] }>(KIND);
  return rows[0]?.kind;
}

/** Throws with instructions when a new connection is to a database of another installation. */
export async function requireOurs(connection: RawConnection, ours: Installation): Promise<void> {
  const { rows } = await connection.query<{ kind: string }>(KIND).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE)) throw error;
    throw new WrongInstallation('The database has no schema: run npm run migrate first.');
  });
  refuseAnother(rows[0]?.kind, ours);
}

/** Throws with instructions when a database that is for something is not for this. */
export function refuseAnother(found: string | undefined, ours: Installation): void {
  if (found === undefined || found === ours) return;
  throw new WrongInstallation(
    `The database is of another installation (${found}), and this process is for ${ours} ` +
      '(NODE_ENV): check DATABASE_URL. What is for trying needs a database of its own.',
  );
}

/**
 * Throws when the database is of another installation. One that does not answer is left to the
 * requests that need it, whose connections are judged as well.
 */
export async function requireAtStart(db: Knex): Promise<void> {
  await db.raw('select 1').catch((error: unknown) => {
    if (error instanceof WrongInstallation) throw error;
  });
}
