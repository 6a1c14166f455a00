import { doWork } from '../../../activities/due-work/worker.ts';
import { runImport } from '../../../activities/imports/run-import.ts';
import { matchSignup } from '../../../activities/ingestion/revise/signups.ts';
import type { Db } from '../../../db/connection.ts';
import * as imports from '../../../db/imports/imports.ts';
import * as importRows from '../../../db/imports/rows.ts';
import type { ImportId, TenantId, UserId } from '../../../domain/ids.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { createMetrics } from '../../../gateways/telemetry/metrics.ts';
import { aTenant, aUser, testPolicy } from '../factories.ts';
import type { Answer, TestApp } from '../http/app.ts';

const metrics = createMetrics('worker');
const log = createLogger({ level: 'silent', service: 'test' });

/** An import as the routes show it. */
export type ShownImport = {
  id: string;
  status: string;
  rows: number;
  points: number;
  invalid: { line: number; code: string }[];
  matched: number | null;
  waiting: number | null;
  repeated: number | null;
  notTaken: number;
  approvedAt: string | null;
};

/** A shop whose merchant uploads members, and an administrator who approves them. */
export type ImportingShop = {
  tenantId: TenantId;
  merchantId: UserId;
  path: string;
  /** Uploads lines below the header. */
  upload(...lines: string[]): Promise<Answer>;
  show(id: string): Promise<ShownImport>;
  withdraw(id: string): Promise<Answer>;
  approve(id: string, points: number): Promise<Answer>;
  revert(id: string): Promise<Answer>;
  /** Uploads lines, approves them and runs the import. Returns its id. */
  bring(...lines: string[]): Promise<string>;
};

/** Opens a shop in Germany that brings members over. */
export async function anImportingShop(app: TestApp): Promise<ImportingShop> {
  const tenantId = await aTenant(app.db, { country: 'DE' });
  const { token, userId: merchantId } = await app.signIn({ role: 'client', member: tenantId });
  const { token: admin } = await app.signIn({ role: 'admin' });
  const path = `/api/v1/client/tenants/${tenantId}/imports`;
  const upload = (...lines: string[]) =>
    app.call({ method: 'POST', path, token, body: { csv: csvOf(lines) } });
  const act = (id: string, verb: string, body: unknown) =>
    app.call({ method: 'POST', path: `/api/v1/admin/imports/${id}/${verb}`, token: admin, body });
  const approve = (id: string, points: number) => act(id, 'approve', { points });
  return {
    tenantId,
    merchantId,
    path,
    upload,
    show: async (id) => (await app.call({ path: `${path}/${id}`, token })).json<ShownImport>(),
    withdraw: (id) => app.call({ method: 'DELETE', path: `${path}/${id}`, token }),
    approve,
    revert: (id) => act(id, 'revert', { reason: 'The wrong file.' }),
    async bring(...lines) {
      const { id, points } = (await upload(...lines)).json<ShownImport>();
      await approve(id, points);
      await runImports(app.db);
      return id;
    },
  };
}

/** Puts lines below the header. */
export function csvOf(lines: readonly string[]): string {
  return ['email,phone,points', ...lines].join('\r\n');
}

/** Runs, or takes back, the imports that are due, and returns how many were done. */
export function runImports(db: Db): Promise<number> {
  return doWork({ db, log }, runImport({ db, log, ingestPolicy: testPolicy }));
}

/** Matches whoever has verified a contact. */
export function matchContacts(db: Db): Promise<number> {
  return doWork({ db, log }, matchSignup({ db, ingestPolicy: testPolicy, metrics }));
}

/** Stores an import of a tenant with one row of 41,500 points: a draft, or one that was run. */
export async function anImport(
  db: Db,
  tenantId: TenantId,
  status: 'draft' | 'done' = 'draft',
): Promise<ImportId> {
  const createdBy = await aUser(db, { role: 'client' });
  const id = await db.transaction(async (tx) => {
    const counts = { matched: 0, waiting: 1, repeated: 0 };
    const draft = { tenantId, rows: 1, points: 41_500, invalid: [], createdBy, ...counts };
    const made = await imports.insert(tx, draft);
    const [fingerprint] = testPolicy.fingerprints(`${made}@example.com`);
    const row = { line: 2, points: 41_500, contact: 'email', fingerprint, userId: null } as const;
    await importRows.insert(tx, { id: made, tenantId }, [row]);
    return made;
  });
  if (status === 'done') {
    await db('imports').where({ id }).update({ status, approvedAt: db.fn.now() });
  }
  return id;
}
