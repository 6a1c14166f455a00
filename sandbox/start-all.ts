import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Db } from '../db/connection.ts';
import { migrate } from '../db/schema/migrate.ts';
import { apiUrl, NAMESPACE, serviceEnvironment } from './environment.ts';
import { startExternalServices } from './external-services.ts';
import { addressFor, ensureRoles, giveToOwner, OWNER, SERVICE } from './postgres/roles.ts';
import { createDatabase, startPostgres } from './postgres/server.ts';
import { type KeptPorts, keptPorts } from './processes/kept-ports.ts';
import { startService, stopServicesLeftBehind } from './processes/service.ts';
import type { Progress } from './progress.ts';
import type { AlphaSimulator } from './providers/alpha/simulator.ts';
import type { BetaSimulator } from './providers/beta/simulator.ts';
import { adoptIssuer, ringSales, seedShop, signEveryoneIn } from './seed.ts';
import { loadState, newState, type State, saveState } from './state.ts';
import { describeShop } from './summary.ts';
import { findTemporal } from './temporal/server.ts';

export type StartOptions = {
  dir: string;
  fresh: boolean;
  progress: Progress;
  /** Told of each part once it runs, and how to stop it. */
  opened: (what: string, close: () => Promise<void>) => void;
  /** Told when a part ends without having been stopped. */
  broken: (what: string, reason: string) => void;
};

const DATABASE = 'loyalty';

/** Starts every part in order, seeds the shop, rings a sale and says what can be opened. */
export async function startAll(options: StartOptions): Promise<void> {
  const { dir, fresh, progress } = options;
  const state = await stateOf(dir, fresh);
  for (const service of await stopServicesLeftBehind(dir)) {
    progress.note(`Stopped the ${service} that an earlier start left behind`);
  }

  const ports = keptPorts(state.ports, progress.note);
  const { ownerUrl, databaseUrl } = await openPostgres(options, ports);
  const temporal = await openTemporal(options, ports);
  const { issuer, mail, apiPort, alpha, beta, desk } = await startExternalServices(
    options,
    state,
    ports,
  );
  // Known to `npm run token` from here on, and found again by the next start.
  saveState(dir, state);

  await progress.step('Migrations', () => migrateAsOwner(ownerUrl), namesOf);
  const db = connect(databaseUrl, 2, 'loyalty-sandbox');
  options.opened('database', () => db.destroy());
  await adoptIssuer(db, issuer);

  const env = serviceEnvironment(dir, state, {
    apiPort,
    databaseUrl,
    temporalAddress: temporal.address,
    issuer,
    smtpUrl: mail.smtpUrl,
    alphaUrl: alpha.url,
    betaUrl: beta.url,
    deskUrl: desk.url,
  });
  for (const service of ['worker', 'api'] as const) {
    await progress.step(
      service === 'api' ? 'API' : 'Worker',
      async () => {
        const running = await startService({ service, dir, env });
        options.opened(service, running.end);
        void running.exited.then((reason) => options.broken(`The ${service}`, reason));
      },
      () => `ready, log in ${join(dir, 'logs', `${service}.log`)}`,
    );
  }

  const api = apiUrl(apiPort);
  const sale = await openForBusiness({ db, dir, state, api, issuer, alpha, beta, progress });
  process.stdout.write(
    describeShop({
      sale,
      api,
      temporalUi: temporal.uiUrl,
      issuer,
      mail: mail.webUrl,
      alpha: alpha.url,
      beta: beta.url,
      desk: desk.url,
      tenantId: state.seeded?.tenantId ?? '',
      temporalAddress: temporal.address,
      temporalCli: temporal.cli,
    }),
  );
}

async function stateOf(dir: string, fresh: boolean): Promise<State> {
  if (fresh) await rm(join(dir, 'state.json'), { force: true });
  return loadState(dir) ?? (await newState());
}

async function openPostgres(options: StartOptions, ports: KeptPorts) {
  const { dir, fresh, progress } = options;
  const postgres = await progress.step(
    'PostgreSQL',
    () =>
      startPostgres({
        dataDir: join(dir, 'postgres'),
        fresh,
        preferredPort: ports.wanted('postgres'),
        logFile: join(dir, 'logs', 'postgres.log'),
        log: progress.note,
      }),
    (server) => `127.0.0.1:${server.port}`,
  );
  options.opened('PostgreSQL', postgres.stop);
  ports.keep('postgres', postgres.port);
  await createDatabaseOnce(postgres);
  await ensureRoles(postgres);
  await giveToOwner(postgres, DATABASE);
  return {
    ownerUrl: addressFor(postgres, OWNER, DATABASE),
    databaseUrl: addressFor(postgres, SERVICE, DATABASE),
  };
}

async function migrateAsOwner(ownerUrl: string): Promise<string[]> {
  const owner = connect(ownerUrl, 1, 'loyalty-sandbox');
  try {
    return await migrate(owner, { serviceRole: SERVICE });
  } finally {
    await owner.destroy();
  }
}

async function createDatabaseOnce(postgres: Parameters<typeof createDatabase>[0]): Promise<void> {
  const admin = connect(postgres.url('postgres'), 1, 'loyalty-sandbox');
  try {
    const existing = await admin('pg_database').where('datname', DATABASE).first('datname');
    if (existing === undefined) await createDatabase(postgres, DATABASE);
  } finally {
    await admin.destroy();
  }
}

async function openTemporal(options: StartOptions, ports: KeptPorts) {
  const { dir, fresh, progress } = options;
  const temporal = await progress.step(
    'Temporal',
    () =>
      findTemporal(
        {
          namespace: NAMESPACE,
          dbFile: join(dir, 'temporal.db'),
          fresh,
          ui: true,
          preferredPort: ports.wanted('temporal'),
          preferredUiPort: ports.wanted('temporalUi'),
          logFile: join(dir, 'logs', 'temporal.log'),
        },
        progress.note,
      ),
    (server) => `${server.address}, UI ${server.uiUrl ?? 'elsewhere'}`,
  );
  options.opened('Temporal', temporal.stop);
  if (temporal.pid !== undefined) {
    ports.keep('temporal', portOf(temporal.address));
    if (temporal.uiUrl !== undefined) ports.keep('temporalUi', portOf(temporal.uiUrl));
  }
  return temporal;
}

function portOf(address: string): number {
  return Number(address.split(':').pop());
}

async function openForBusiness(parts: {
  db: Db;
  dir: string;
  state: State;
  api: string;
  issuer: string;
  alpha: AlphaSimulator;
  beta: BetaSimulator;
  progress: Progress;
}) {
  const { db, dir, state, api, issuer, alpha, beta, progress } = parts;
  const tokens = await signEveryoneIn(api, issuer);
  state.seeded ??= await progress.step(
    'Shop',
    () => seedShop({ db, api, tokens, alpha, beta }),
    () => 'a merchant with both providers connected, and a rule of one point for ten cents',
  );
  saveState(dir, state);
  const shop = state.seeded;
  return progress.step(
    'First sales',
    () => ringSales({ alpha, beta }, shop, { api, token: tokens.consumer }),
    ({ paid, pointsBefore, pointsAfter }) =>
      `Ada paid ${paid} and earned ${pointsAfter - pointsBefore} points`,
  );
}

function namesOf(names: readonly string[]): string {
  return names.length === 0 ? 'nothing to do' : `${names.length} applied`;
}
