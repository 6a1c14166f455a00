import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inherited } from '../../sandbox/processes/inherited.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { startService } from '../../sandbox/processes/service.ts';
import { testKeys } from './factories.ts';

export const SIGNATURE_KEY = 'alpha-test-signature-key';

export type Processes = {
  apiUrl: string;
  /** Their logs are in its folder `logs`. */
  dir: string;
  env: NodeJS.ProcessEnv;
  start(service: 'api' | 'worker'): ReturnType<typeof startService>;
  /** Stops the running processes and removes their files. */
  close(): Promise<void>;
};

/** Runs the API and the worker as real processes on a test's database and namespace. */
export async function createProcesses(at: {
  databaseUrl: string;
  temporalAddress: string;
  namespace: string;
  issuer?: string;
  env?: Record<string, string>;
}): Promise<Processes> {
  const dir = await mkdtemp(join(tmpdir(), 'loyalty-processes-'));
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const env = {
    ...inherited(),
    HOST: '127.0.0.1',
    PORT: String(port),
    API_BASE_URL: apiUrl,
    FRONTEND_URL: apiUrl,
    DATABASE_URL: at.databaseUrl,
    TEMPORAL_ADDRESS: at.temporalAddress,
    TEMPORAL_NAMESPACE: at.namespace,
    OIDC_ISSUER: at.issuer ?? 'http://127.0.0.1:9',
    OIDC_AUDIENCE: 'loyalty-api',
    ADMIN_EMAIL_DOMAIN: 'staff.example',
    ENCRYPTION_KEY: Buffer.from(testKeys[0]?.key ?? []).toString('hex'),
    CRON_SECRET: 'a cron secret of the tests',
    ALPHA_WEBHOOK_SIGNATURE_KEY: SIGNATURE_KEY,
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'loyalty@example.com',
    OBJECT_STORE_URL: 'file:///tmp',
    NODE_ENV: 'test',
    ...at.env,
  };
  const running = new Set<Awaited<ReturnType<typeof startService>>>();
  return {
    apiUrl,
    dir,
    env,
    async start(service) {
      const started = await startService({ service, dir, env });
      running.add(started);
      return started;
    },
    async close() {
      for (const service of running) await service.end();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
