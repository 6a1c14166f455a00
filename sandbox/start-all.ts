import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Db } from '../db/connection.ts';
import { migrate } from '../db/schema/migrate.ts';
import { forgetCommandEnvironment, saveCommandEnvironment } from './command-environment.ts';
import { startDeveloperPage } from './developer/page.ts';
import type { Place } from './developer/place.ts';
import {
  apiUrl,
  FORMER_NAMESPACE,
  NAMESPACE,
  serviceEnvironment,
  webhookUrl,
} from './environment.ts';
import { startExternalServices } from './external-services.ts';
import { addressFor, ensureRoles, giveToOwner, OWNER, SERVICE } from './postgres/roles.ts';
import { createDatabase, startPostgres } from './postgres/server.ts';
import { type KeptPorts, keptPorts } from './processes/kept-ports.ts';
import { startService, stopServicesLeftBehind } from './processes/service.ts';
import type { Progress } from './progress.ts';
import type { AlphaSimulator } from './providers/alpha/simulator.ts';
import type { BetaSimulator } from './providers/beta/simulator.ts';
import { ringSales, seedTenant, signInAll, updateIssuer } from './seed.ts';
import type { StartOptions } from './start-options.ts';
import { loadState, newState, type State, saveState } from './state.ts';
import { renderSummary } from './summary.ts';
import { findTemporal } from './temporal/find.ts';

const DATABASE = 'loyalty';

/** Starts all parts in order, seeds the tenant, rings sales and prints the addresses. */
export async function startAll(options: StartOptions): Promise<void> {
  const { dir, fresh, progress } = options;
  const state = await loadOrCreateState(dir, fresh);
  for (const service of await stopServicesLeftBehind(dir)) {
    progress.note(`Stopped the ${service} that an earlier start left behind`);
  }

  const ports = keptPorts(state.ports, progress.note);
  const { ownerUrl, databaseUrl } = await startDatabase(options, ports);
  const temporal = await startTemporalServer(options, ports);
  const outside = await startExternalServices(options, state, ports);
  const { issuer, people, mail, apiPort, alpha, beta, apps } = outside;
  // Saved for `npm run token` and for the next start.
  saveState(dir, state);

  await progress.step('Migrations', () => migrateAsOwner(ownerUrl), namesOf);
  const db = connect(databaseUrl, 2, 'loyalty-sandbox');
  options.onStarted('database', () => db.destroy());
  await updateIssuer(db, issuer);

  const env = serviceEnvironment(dir, state, {
    apiPort,
    databaseUrl,
    temporalAddress: temporal.address,
    issuer,
    smtpUrl: mail.smtpUrl,
    alphaUrl: alpha.url,
    betaUrl: beta.url,
    appsUrl: apps.url,
  });
  await startServices(options, env);
  const temporalCli = temporal.cli;
  saveCommandEnvironment(dir, { env, api: apiUrl(apiPort), ownerUrl, temporalCli });
  options.onStarted('environment of commands', async () => forgetCommandEnvironment(dir));

  const api = apiUrl(apiPort);
  const shop = { db, dir, state, api, issuer, alpha, beta, progress };
  const { sale, tenant } = await seedAndRingSales(shop);
  const { alphaSignatureKey, betaWebhookSecret } = state.secrets;
  const webhookKeys = {
    alpha: { key: alphaSignatureKey, url: webhookUrl(api, 'alpha') },
    beta: betaWebhookSecret,
  };
  const shown = { api, issuer, db, temporal, tenant, people, alpha, beta };
  const place = { ...shown, mail: mail.webUrl, webhookKeys };
  const developerPage = await startDeveloperPageAt(outside.developerPort, options, place);
  saveState(dir, state);
  process.stdout.write(
    renderSummary({
      sale,
      api,
      temporalUi: temporal.uiUrl,
      issuer,
      mail: mail.webUrl,
      alpha: alpha.url,
      beta: beta.url,
      apps: apps.url,
      developerPage,
      tenantId: tenant.tenantId,
      temporalAddress: temporal.address,
      temporalCli: temporal.cli,
    }),
  );
}

async function startServices(options: StartOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { dir, progress } = options;
  for (const service of ['worker', 'api'] as const) {
    await progress.step(
      service === 'api' ? 'API' : 'Worker',
      async () => {
        const running = await startService({ service, dir, env });
        options.onStarted(service, running.end);
        void running.exited.then((reason) => options.onExit(`The ${service}`, reason));
      },
      () => `ready, log in ${join(dir, 'logs', `${service}.log`)}`,
    );
  }
}

async function startDeveloperPageAt(
  port: number,
  { dir, fresh, progress, onStarted }: StartOptions,
  place: Place,
): Promise<string> {
  const receiverFile = join(dir, 'webhook-receiver.json');
  if (fresh) await rm(receiverFile, { force: true });
  const { url, stop } = await progress.step(
    'Developer page',
    () => startDeveloperPage({ ...place, port, receiverFile }),
    (page) => page.url,
  );
  onStarted('developer page', stop);
  return url;
}

async function loadOrCreateState(dir: string, fresh: boolean): Promise<State> {
  if (fresh) await rm(join(dir, 'state.json'), { force: true });
  return loadState(dir) ?? (await newState());
}

async function startDatabase(options: StartOptions, ports: KeptPorts) {
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
  options.onStarted('PostgreSQL', postgres.stop);
  ports.keep('postgres', postgres.port);
  await ensureDatabase(postgres);
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

async function ensureDatabase(postgres: Parameters<typeof createDatabase>[0]): Promise<void> {
  const admin = connect(postgres.url('postgres'), 1, 'loyalty-sandbox');
  try {
    const existing = await admin('pg_database').where('datname', DATABASE).first('datname');
    if (existing === undefined) await createDatabase(postgres, DATABASE);
  } finally {
    await admin.destroy();
  }
}

async function startTemporalServer(options: StartOptions, ports: KeptPorts) {
  const { dir, fresh, progress } = options;
  const temporal = await progress.step(
    'Temporal',
    () =>
      findTemporal(
        {
          address: process.env.SANDBOX_TEMPORAL_ADDRESS,
          namespace: NAMESPACE,
          formerNamespace: FORMER_NAMESPACE,
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
  options.onStarted('Temporal', temporal.stop);
  if (temporal.pid !== undefined) {
    ports.keep('temporal', portOf(temporal.address));
    if (temporal.uiUrl !== undefined) ports.keep('temporalUi', portOf(temporal.uiUrl));
  }
  return temporal;
}

function portOf(address: string): number {
  return Number(address.split(':').pop());
}

async function seedAndRingSales(parts: {
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
  const tokens = await signInAll(api, issuer);
  state.seeded ??= await progress.step(
    'Sample data',
    () => seedTenant({ db, api, tokens, alpha, beta }),
    () => 'a merchant with both providers connected, and a rule of one point per ten cents',
  );
  saveState(dir, state);
  const tenant = state.seeded;
  const sale = await progress.step(
    'First sales',
    () => ringSales({ alpha, beta }, tenant, { api, token: tokens.consumer }),
    ({ paid, pointsBefore, pointsAfter }) =>
      `Ada paid ${paid} and earned ${pointsAfter - pointsBefore} points`,
  );
  return { sale, tenant };
}

function namesOf(names: readonly string[]): string {
  return names.length === 0 ? 'nothing to do' : `${names.length} applied`;
}
