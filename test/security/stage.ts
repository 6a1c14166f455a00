import { randomInt, randomUUID } from 'node:crypto';
import { freePort } from '../../sandbox/processes/ports.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { type Answer, type Call, send } from '../support/http/app.ts';
import { type Issuer, startIssuer } from '../support/people/issuer.ts';
import { type TestPerson, tokenFor } from '../support/people/tokens.ts';
import { createProcesses, type Processes } from '../support/processes.ts';
import { type Providers, startProviders } from '../support/providers/chaotic-shop.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal/test-temporal.ts';
import { type ErrorCollector, startErrorCollector } from './error-collector.ts';
import type { Needle, Output } from './leak-scan.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { tokenNeedles } from './needles.ts';

/** The real API and worker with everything around them, and what must not come out of them. */
export type Stage = {
  database: TestDatabase;
  temporal: TestTemporal;
  issuer: Issuer;
  processes: Processes;
  providers: Providers;
  mail: MailServer;
  errors: ErrorCollector;
  metrics: { api: string; worker: string };
  needles: Needle[];
  /** The answers that refuse, and those that show one person's data to another. */
  answers: Output[];
  /** The codes that were issued to an e-mail. */
  codesOf: Map<string, string[]>;
  /** Calls the API. A refusal is kept as an output, which may hold what is given. */
  ask(call: Call, mayHold?: readonly string[]): Promise<Answer>;
  close(): Promise<void>;
};

const SEED = 7;

/** Starts the service at its most talkative log level, with reports of errors and metrics. */
export async function openStage(): Promise<Stage> {
  const database = await createTestDatabase();
  const temporal = await createTestTemporal();
  const issuer = await startIssuer();
  const mail = await startMailServer();
  const errors = await startErrorCollector();
  const [apiPort, workerPort] = [await freePort(), await freePort()];
  const processes = await createProcesses({
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    issuer: issuer.url,
    env: {
      SMTP_URL: mail.url,
      SENTRY_DSN: errors.dsn,
      METRICS_PORT: String(apiPort),
      WORKER_HEALTH_PORT: String(workerPort),
      LOG_LEVEL: 'trace',
      SWEEP_INTERVAL_SECONDS: '2',
      ALPHA_POLL_INTERVAL_SECONDS: '5',
      ALPHA_BACKUP_POLL_INTERVAL_SECONDS: '5',
      ...Object.fromEntries(UNLIMITED.map((name) => [`RATE_LIMIT_${name}`, '0'])),
    },
  });
  const providers = await startProviders(processes, SEED);
  await Promise.all([processes.start('worker'), processes.start('api')]);

  const answers: Output[] = [];
  return {
    database,
    temporal,
    issuer,
    processes,
    providers,
    mail,
    errors,
    answers,
    metrics: {
      api: `http://127.0.0.1:${apiPort}/metrics`,
      worker: `http://127.0.0.1:${workerPort}/metrics`,
    },
    needles: [],
    codesOf: new Map(),
    async ask(call, mayHold = []) {
      const answer = await send(processes.apiUrl, call);
      const { status, headers, body } = answer;
      if (status >= 400) {
        const text = JSON.stringify({ headers: [...headers], body });
        const name = `answer ${status} to ${call.method ?? 'GET'} ${call.path}`;
        answers.push({ name, text, mayHold });
      }
      return answer;
    },
    async close() {
      await processes.close();
      await providers.close();
      await mail.stop();
      await errors.stop();
      await issuer.close();
      await temporal.close();
      await database.close();
    },
  };
}

const UNLIMITED = ['READS', 'WRITES', 'LOOKUPS', 'WEBHOOKS'];

export type Visitor = { token: string; email: string; phone: string };

/** Somebody with a token that has every verified claim, whom the service has not seen yet. */
export async function aVisitor(stage: Stage): Promise<Visitor> {
  const sub = randomUUID();
  const email = `visitor-${sub}@mail.example`;
  const phone = `+49151${randomInt(10_000_000, 99_999_999)}`;
  const name = `Ada of ${sub}`;
  const token = await stage.issuer.token({
    sub,
    email,
    name,
    email_verified: true,
    phone_number: phone,
    phone_number_verified: true,
  });
  stage.needles.push(
    ...tokenNeedles('access token', token),
    { kind: 'e-mail', value: email },
    { kind: 'phone', value: phone },
    { kind: 'name', value: name },
  );
  return { token, email, phone };
}

/** The token of a new user with this role. */
export async function aMember(stage: Stage, person: TestPerson): Promise<string> {
  const token = await tokenFor(stage.database.db, stage.issuer, person);
  stage.needles.push(...tokenNeedles('access token', token));
  return token;
}
