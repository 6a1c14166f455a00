import { join } from 'node:path';
import { connect } from '../db/connection.ts';
import { migrate } from '../db/schema/migrate.ts';
import { storeSettings } from '../db/session-settings.ts';
import { NAMESPACE } from './environment.ts';
import { addressFor, ensureRoles, giveToOwner, OWNER, SERVICE } from './postgres/roles.ts';
import { createDatabase, startPostgres } from './postgres/server.ts';
import type { KeptPorts } from './processes/kept-ports.ts';
import type { StartOptions } from './start-options.ts';
import { findTemporal } from './temporal/find.ts';

const DATABASE = 'loyalty';

/** Starts PostgreSQL with a database of the current schema, and returns how its roles reach it. */
export async function startDatabase(options: StartOptions, ports: KeptPorts) {
  const { dir, fresh, progress } = options;
  const logFile = join(dir, 'logs', 'postgres.log');
  const postgres = await progress.step(
    'PostgreSQL',
    () =>
      startPostgres({
        dataDir: join(dir, 'postgres'),
        fresh,
        preferredPort: ports.wanted('postgres'),
        logFile,
        log: progress.note,
      }),
    (server) => `127.0.0.1:${server.port}`,
  );
  options.onStarted('PostgreSQL', postgres.stop, { exited: postgres.exited, logFile });
  ports.keep('postgres', postgres.port);
  await ensureDatabase(postgres);
  await ensureRoles(postgres);
  await giveToOwner(postgres, DATABASE);
  const ownerUrl = addressFor(postgres, OWNER, DATABASE);
  await progress.step('Migrations', () => migrateAsOwner(ownerUrl), namesOf);
  const databaseUrl = addressFor(postgres, SERVICE, DATABASE);
  await storeSettingsOf(databaseUrl);
  return { ownerUrl, databaseUrl };
}

async function ensureDatabase(postgres: Parameters<typeof createDatabase>[0]): Promise<void> {
  const admin = connect(postgres.url('postgres'), 1, 'loyalty-sandbox');
  try {
    const existing = await admin('pg_database').where('datname', DATABASE).first('datname');
    if (existing === undefined) await createDatabase(postgres, DATABASE);
  } finally {
    await admin.destroy();
  }
}

async function migrateAsOwner(ownerUrl: string): Promise<string[]> {
  const owner = connect(ownerUrl, 1, 'loyalty-sandbox');
  try {
    return await migrate(owner, { serviceRole: SERVICE, installation: 'sandbox' });
  } finally {
    await owner.destroy();
  }
}

/** As `npm run migrate` does after the schema, so that `npm run ops -- doctor` finds all well. */
async function storeSettingsOf(databaseUrl: string): Promise<void> {
  const service = connect(databaseUrl, 1, 'loyalty-sandbox');
  try {
    await storeSettings(service);
  } finally {
    await service.destroy();
  }
}

function namesOf(names: readonly string[]): string {
  return names.length === 0 ? 'nothing to do' : `${names.length} applied`;
}

/** Starts Temporal with the sandbox's namespace, or uses the server that the environment names. */
export async function startTemporalServer(options: StartOptions, ports: KeptPorts) {
  const { dir, fresh, progress } = options;
  const logFile = join(dir, 'logs', 'temporal.log');
  const temporal = await progress.step(
    'Temporal',
    () =>
      findTemporal(
        {
          address: process.env.SANDBOX_TEMPORAL_ADDRESS,
          namespace: NAMESPACE,
          dbFile: join(dir, 'temporal.db'),
          fresh,
          ui: true,
          preferredPort: ports.wanted('temporal'),
          preferredUiPort: ports.wanted('temporalUi'),
          logFile,
        },
        progress.note,
      ),
    (server) => `${server.address}, UI ${server.uiUrl ?? 'elsewhere'}`,
  );
  const { exited } = temporal;
  options.onStarted('Temporal', temporal.stop, exited && { exited, logFile });
  if (temporal.pid !== undefined) {
    ports.keep('temporal', portOf(temporal.address));
    if (temporal.uiUrl !== undefined) ports.keep('temporalUi', portOf(temporal.uiUrl));
  }
  return temporal;
}

function portOf(address: string): number {
  return Number(address.split(':').pop());
}
