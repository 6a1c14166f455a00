import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Db } from '../db/connection.ts';
import { migrate } from '../db/migrate.ts';
import { startAlpha } from './alpha/simulator.ts';
import { AUDIENCE, apiUrl, NAMESPACE, serviceEnvironment } from './environment.ts';
import { startIdentityProvider } from './identity-provider.ts';
import { startMailSink } from './mail-sink.ts';
import { PEOPLE } from './people.ts';
import { freePort } from './ports.ts';
import { createDatabase, startPostgres } from './postgres.ts';
import type { Progress } from './progress.ts';
import { adoptIssuer, ringSale, seedShop, signEveryoneIn } from './seed.ts';
import { startService } from './service.ts';
import { loadState, newState, type State, saveState } from './state.ts';
import { describeShop } from './summary.ts';
import { findTemporal } from './temporal.ts';

type Options = {
  dir: string;
  fresh: boolean;
  progress: Progress;
  /** Told of each part once it runs, and how to stop it. */
  opened: (what: string, close: () => Promise<void>) => void;
  /** Told when a part ends without having been stopped. */
  broken: (what: string, reason: string) => void;
};

const PREFERRED_PORTS = {
  postgres: 54320,
  temporal: 7233,
  temporalUi: 8233,
  identity: 4100,
  smtp: 4125,
  mail: 4180,
  alpha: 4200,
  api: 3000,
} as const;

type Part = keyof typeof PREFERRED_PORTS;

const DATABASE = 'loyalty';

/** Starts every part in order, seeds the shop, rings a sale and says what can be opened. */
export async function openShop(options: Options): Promise<void> {
  const { dir, fresh, progress } = options;
  const state = await stateOf(dir, fresh);
  const port = (part: Part) => portOf(part, state, progress);

  const databaseUrl = await openPostgres(options, await port('postgres'));
  const temporal = await openTemporal(options, await port('temporal'), await port('temporalUi'));
  state.ports.temporal = Number(temporal.address.split(':').pop());
  const { issuer, mail, apiPort, alpha } = await openNeighbours(options, state, port);
  // Known to `npm run token` from here on, and found again by the next start.
  saveState(dir, state);

  const db = connect(databaseUrl, 2, 'loyalty-sandbox');
  options.opened('database', () => db.destroy());
  await progress.step('Migrations', () => migrate(db), namesOf);
  await adoptIssuer(db, issuer);

  const env = serviceEnvironment(dir, state, {
    apiPort,
    databaseUrl,
    temporalAddress: temporal.address,
    issuer,
    smtpUrl: mail.smtpUrl,
    alphaUrl: alpha.url,
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
  const sale = await openForBusiness({ db, dir, state, api, issuer, alpha, progress });
  process.stdout.write(
    describeShop({
      sale,
      api,
      temporalUi: temporal.uiUrl,
      issuer,
      mail: mail.webUrl,
      alpha: alpha.url,
      tenantId: state.seeded?.tenantId ?? '',
      temporalAddress: temporal.address,
    }),
  );
}

async function stateOf(dir: string, fresh: boolean): Promise<State> {
  if (fresh) await rm(join(dir, 'state.json'), { force: true });
  return loadState(dir) ?? (await newState());
}

/** The port of the last start, else the usual one, else a free one, and says so. */
async function portOf(part: Part, state: State, progress: Progress): Promise<number> {
  const preferred = state.ports[part] ?? PREFERRED_PORTS[part];
  const port = await freePort(preferred);
  if (port !== preferred) progress.note(`Port ${preferred} is busy, so ${part} takes ${port}`);
  state.ports[part] = port;
  return port;
}

async function openPostgres(options: Options, preferredPort: number): Promise<string> {
  const { dir, fresh, progress } = options;
  const postgres = await progress.step(
    'PostgreSQL',
    () =>
      startPostgres({
        dataDir: join(dir, 'postgres'),
        fresh,
        preferredPort,
        logFile: join(dir, 'logs', 'postgres.log'),
        log: progress.note,
      }),
    (server) => `127.0.0.1:${server.port}`,
  );
  options.opened('PostgreSQL', postgres.stop);
  await createDatabaseOnce(postgres);
  return postgres.url(DATABASE);
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

async function openTemporal(options: Options, preferredPort: number, preferredUiPort: number) {
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
          preferredPort,
          preferredUiPort,
          logFile: join(dir, 'logs', 'temporal.log'),
        },
        progress.note,
      ),
    (server) => `${server.address}, UI ${server.uiUrl ?? 'elsewhere'}`,
  );
  options.opened('Temporal', temporal.stop);
  return temporal;
}

/** Starts what stands in for the outside world: who people are, their mail, the point of sale. */
async function openNeighbours(
  options: Options,
  state: State,
  port: (part: Part) => Promise<number>,
) {
  const { dir, fresh, progress, opened } = options;
  const { secrets } = state;
  const identityPort = await port('identity');
  const identity = await progress.step(
    'Sign-in (OIDC)',
    () =>
      startIdentityProvider({
        port: identityPort,
        signingKey: secrets.oidcSigningKey,
        people: PEOPLE,
        audience: AUDIENCE,
      }),
    ({ url }) => url,
  );
  opened('identity provider', identity.stop);

  const smtpPort = await port('smtp');
  const webPort = await port('mail');
  if (fresh) await rm(join(dir, 'mail'), { recursive: true, force: true });
  const mail = await progress.step(
    'Mail',
    () => startMailSink({ port: smtpPort, webPort, dir: join(dir, 'mail') }),
    ({ webUrl }) => webUrl,
  );
  opened('mail sink', mail.stop);

  const alphaPort = await port('alpha');
  const apiPort = await port('api');
  const stateFile = join(dir, 'alpha.json');
  if (fresh) await rm(stateFile, { force: true });
  const alpha = await progress.step(
    'Provider alpha',
    () =>
      startAlpha({
        port: alphaPort,
        appId: secrets.alphaAppId,
        appSecret: secrets.alphaAppSecret,
        signatureKey: secrets.alphaSignatureKey,
        webhookUrl: `${apiUrl(apiPort)}/api/v1/webhooks/alpha`,
        stateFile,
      }),
    ({ url }) => `${url} (simulated)`,
  );
  opened('provider alpha', alpha.stop);
  return { issuer: identity.issuer, mail, alpha, apiPort };
}

async function openForBusiness(parts: {
  db: Db;
  dir: string;
  state: State;
  api: string;
  issuer: string;
  alpha: Awaited<ReturnType<typeof startAlpha>>;
  progress: Progress;
}) {
  const { db, dir, state, api, issuer, alpha, progress } = parts;
  const tokens = await signEveryoneIn(api, issuer);
  const { encryptionKey } = state.secrets;
  state.seeded ??= await progress.step(
    'Shop',
    () => seedShop({ db, api, tokens, alpha, encryptionKey }),
    () => 'a merchant with alpha connected, and a rule of one point for ten cents',
  );
  saveState(dir, state);
  const shop = state.seeded;
  return progress.step(
    'First sale',
    () => ringSale(alpha, shop, api, tokens.consumer),
    ({ paid, pointsBefore, pointsAfter }) =>
      `Ada paid ${paid} and earned ${pointsAfter - pointsBefore} points`,
  );
}

function namesOf(names: readonly string[]): string {
  return names.length === 0 ? 'nothing to do' : `${names.length} applied`;
}
