import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from '../../sandbox/processes/ports.ts';
import { type ServerProcess, startServer } from '../../sandbox/processes/processes.ts';

export type Keycloak = {
  url: string;
  /** Calls the admin API, and returns the body and the id in the Location of what was created. */
  admin(method: string, path: string, json?: unknown): Promise<{ id: string; body: unknown }>;
  /** Stops answering, or goes on; connections are accepted all the same. */
  hang(): void;
  goOn(): void;
  stop(): Promise<void>;
};

const READY_WITHIN_MS = 600_000;
const ADMIN = { username: 'root', password: 'the password of the foreign tests' };
const Token = z.object({ access_token: z.string() });

/** Starts Keycloak with an empty database in memory. */
export async function startKeycloak(program: string, folder: string): Promise<Keycloak> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await startServer({
    command: program,
    args: [
      'start-dev',
      '--http-host=127.0.0.1',
      `--http-port=${port}`,
      `--hostname=${url}`,
      '--db=dev-mem',
      '--cache=local',
    ],
    logFile: join(folder, 'keycloak.log'),
    signalAtExit: 'SIGTERM',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      JAVA_OPTS_KC_HEAP: '-Xms128m -Xmx768m',
      KC_HOME_DIR: dirname(dirname(program)),
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    },
  });
  // The group, because the script starts the server beside itself.
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-running.pid, name);
    } catch {
      // It has ended.
    }
  };
  const stop = async () => {
    signal('SIGCONT');
    signal('SIGTERM');
    await Promise.race([running.exited, sleep(20_000)]);
    signal('SIGKILL');
    await running.exited;
  };
  await untilReady(url, running).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url,
    admin: (method, path, json) => callAdmin(url, method, path, json),
    hang: () => signal('SIGSTOP'),
    goOn: () => signal('SIGCONT'),
    stop,
  };
}

async function untilReady(url: string, running: ServerProcess): Promise<void> {
  let ended: string | undefined;
  void running.exited.then((reason) => {
    ended = reason;
  });
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(500)) {
    const answer = await fetch(`${url}/realms/master`).catch(() => undefined);
    if (answer?.ok) return;
    if (ended !== undefined) break;
  }
  throw new Error(`Keycloak did not start (${ended ?? 'too slow'}):\n${running.logTail()}`);
}

async function callAdmin(url: string, method: string, path: string, json: unknown) {
  const grant = { grant_type: 'password', client_id: 'admin-cli', ...ADMIN };
  const { access_token } = Token.parse(await askToken(`${url}/realms/master`, grant));
  const response = await fetch(`${url}/admin/realms${path}`, {
    method,
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  const id = response.headers.get('location')?.split('/').pop() ?? '';
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { id, body };
}

/** Asks a realm for tokens. Throws with its answer when it refuses. */
export async function askToken(realm: string, grant: Record<string, string>): Promise<unknown> {
  const response = await fetch(`${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(grant),
  });
  if (!response.ok) throw new Error(`The token was refused: ${await response.text()}`);
  return await response.json();
}
