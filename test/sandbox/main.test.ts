import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { startedAt } from '../../sandbox/processes/processes.ts';

// The first steps of a new user; each test continues from the previous one.

const README = new URL('../../README.md', import.meta.url);
const MAIN = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url));
const START_MS = 120_000;
const ELSEWHERE = { TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_TLS: 'true' };

type Sandbox = { child: ChildProcess; output: () => string; ended: Promise<number | null> };

let dir: string;
const started: Sandbox[] = [];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'loyalty-sandbox-'));
});
afterAll(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGTERM');
    await ended;
  }
  await rm(dir, { recursive: true, force: true });
});

function start(folder: string, ...args: string[]): Sandbox {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    // What a shell holds in which somebody works on a real cluster must not matter.
    env: { ...process.env, ...ELSEWHERE, SANDBOX_DIR: join(dir, folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  }
  const ended = once(child, 'exit').then(([code]) => code);
  const sandbox = { child, output: () => text, ended };
  started.push(sandbox);
  return sandbox;
}

async function open(sandbox: Sandbox): Promise<string> {
  const done = () => /Ctrl-C stops everything|could not start/.test(sandbox.output());
  await expect.poll(done, { timeout: START_MS, interval: 50 }).toBe(true);
  return sandbox.output();
}

/** What is printed at the end, without what differs between two sandboxes: ids, ports, widths. */
const summaryIn = (text: string) => {
  const [summary = ''] = /^ {2}Consumer [\s\S]*?Ctrl-C stops everything\.$/m.exec(text) ?? [];
  return summary
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replaceAll(/(127\.0\.0\.1):\d+/g, '$1:PORT')
    .replaceAll(/ +/g, ' ');
};
const balanceIn = (output: string) => Number(/Ada's balance is (\d+) points/.exec(output)?.[1]);
const apiIn = (output: string) => /API\s+(http:\S+)/.exec(output)?.[1] ?? '';

const OPS = fileURLToPath(new URL('../../ops/main.ts', import.meta.url));
const run = async (script: string, ...args: string[]) => {
  const path = fileURLToPath(new URL(`../../sandbox/${script}.ts`, import.meta.url));
  const env = { ...process.env, SANDBOX_DIR: join(dir, 'one') };
  const command = ['--import', 'tsx', path, ...args];
  return (await promisify(execFile)(process.execPath, command, { env })).stdout;
};

async function pidsOf(folder: string): Promise<number[]> {
  const files = ['api.pid', 'worker.pid', 'temporal.db.pid', 'postgres/postmaster.pid'];
  const contents = await Promise.all(
    files.map((file) => readFile(join(dir, folder, file), 'utf8').catch(() => '')),
  );
  return contents.filter((text) => text !== '').map((text) => Number.parseInt(text, 10));
}

const living = (pids: number[]) => pids.filter((pid) => startedAt(pid) !== undefined);

/** Kills a server of the sandbox, which must say so in one line, and leave nothing running. */
async function expectEndAfterKill(
  { child, output, ended }: Sandbox,
  folder: string,
  pidFile: string,
  what: string,
): Promise<void> {
  const pids = await pidsOf(folder);
  const before = output().length;
  process.kill(Number.parseInt(await readFile(join(dir, folder, pidFile), 'utf8'), 10), 'SIGKILL');
  expect(await ended).toBe(1);
  expect(child.exitCode).toBe(1);
  const [said = '', ...more] = output().slice(before).trim().split('\n');
  expect(said).toMatch(new RegExp(`^${what} has ended \\(exit SIGKILL\\), .* \\S+\\.log$`));
  expect(more).toEqual([]);
  expect(living(pids)).toEqual([]);
}

let first: Sandbox;

it('seeds a tenant, rings sales and prints the addresses', { timeout: START_MS }, async () => {
  first = start('one');
  const output = await open(first);
  expect(output).toMatch(/First sales +Ada paid 12\.50 USD at each till and earned 250 points/);
  expect(balanceIn(output)).toBe(250);
  expect(output).not.toMatch(/warning/i);
  expect(summaryIn(output)).toBe(summaryIn(await readFile(README, 'utf8')));
  for (const what of ['PostgreSQL', 'Temporal', 'Sign-in', 'Mail', 'Migrations', 'Worker', 'API']) {
    expect(output).toMatch(new RegExp(`${what}.*\\(\\d+\\.\\d s\\)`));
  }
});

it('prints the addresses of the four apps first, and serves them', async () => {
  const [printed = ''] = first.output().split('Ada').slice(-1);
  expect(printed).not.toMatch(/\/wallet\//);
  const addresses = [...first.output().matchAll(/^ {2}\S.* (http:\S+)/gm)].map(
    ([, at]) => at ?? '',
  );
  const wallet = addresses.findLastIndex((at) => at.endsWith('/wallet/'));
  const apps = addresses.slice(wallet, wallet + 4);
  expect(apps.map((at) => new URL(at).pathname)).toEqual([
    '/wallet/',
    '/till/',
    '/portal/',
    '/office/',
  ]);
  for (const at of apps) {
    const page = await fetch(at);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="app">');
  }
  const config = await (await fetch(new URL('/config.json', apps[0]))).json();
  expect(config).toMatchObject({ api: apiIn(first.output()).replace('/api/v1', '') });
});

it('serves the metrics of the API and the worker', async () => {
  const [, ...addresses] = /Metrics +(\S+) and (\S+)/.exec(first.output()) ?? [];
  const texts = await Promise.all(addresses.map(async (at) => (await fetch(at)).text()));
  expect(texts).toEqual([
    expect.stringContaining('loyalty_process_info{service="api"}'),
    expect.stringContaining('loyalty_process_info{service="worker"}'),
  ]);
});

it('prints a token that the API accepts', async () => {
  const token = (await run('token', 'consumer')).trim();
  const response = await fetch(`${apiIn(first.output())}/consumer/wallets`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await response.json()).toMatchObject([{ balance: 250, tenant: { name: 'Corner Café' } }]);
});

it('rings a sale by command, and says what came of it', { timeout: START_MS }, async () => {
  const atAlpha = await run('sale', '--for', 'ada', '--amount', '10.05');
  expect(atAlpha).toMatch(/^Ada Byron paid 10\.05 USD at alpha \(payment \S+\)\.$/m);
  expect(atAlpha).toContain('100 points were credited. The balance is 350 points now.');
  const link = /^Run +(http:\S+)$/m.exec(atAlpha)?.[1] ?? '';
  expect(decodeURIComponent(link)).toMatch(/loyalty-sandbox\/workflows\/ingest\/alpha\/[\w-]+$/);

  const atBeta = await run('sale', '--amount', '1.00', '--provider', 'beta');
  expect(atBeta).toContain('Somebody unknown paid 1.00 USD at beta');
  const foreign = await run('sale', '--for', 'ada', '--amount', '5', '--currency', 'jpy');
  expect(foreign).toContain('Ada Byron paid 5 JPY at alpha');
  const wrong = run('sale', '--for', 'ada', '--amount', '5.5', '--currency', 'JPY');
  await expect(wrong).rejects.toThrow('An amount in JPY has 0 decimals at most.');
  await expect(run('sale', '--for', 'eve', '--amount', '5')).rejects.toThrow('only Ada Byron');
  await expect(run('sale', '--for', 'ada')).rejects.toThrow('The amount is missing.');

  // Also while its merchant can ask for nothing.
  const operate = (act: string) =>
    run('sandbox-env', process.execPath, '--import', 'tsx', OPS, act, PEOPLE.merchant.email);
  await operate('suspend');
  const meanwhile = await run('sale', '--amount', '1');
  expect(meanwhile).toContain('Somebody unknown paid 1.00 USD at alpha');
  await operate('reinstate');
});

it('shows what an app needs to know on a page, which rings sales', {
  timeout: START_MS,
}, async () => {
  const page = /Developer tools +(http:\S+\/)$/m.exec(first.output())?.[1] ?? '';
  const text = await (await fetch(page)).text();
  expect(text).toContain('sandbox (public: authorization code with PKCE, no secret)');
  expect(text).toContain('There is none now.');
  const guide = /Build an app +(http:\S+)/.exec(first.output())?.[1] ?? '';
  expect(text).toContain(`href="${guide}"`);
  const { origin } = new URL(guide);
  expect(await (await fetch(guide)).text()).toContain(`const API = '${origin}';`);
  const sale = (headers = {}) => {
    const body = new URLSearchParams({ for: 'merchant', amount: '1', currency: '' });
    return fetch(`${page}sales`, { method: 'POST', body, headers });
  };
  const earned = await (await sale()).text();
  expect(earned).toContain('1.00 USD at alpha');
  expect(earned).toContain('Its run in Temporal');
  expect(await (await fetch(`${page}time-machine`)).text()).toContain('1.00 USD');
  expect((await sale({ origin: 'https://evil.example' })).status).toBe(403);
  expect((await fetch(`${page}webhooks`)).status).toBe(200);
});

it('lets codes run out by command', { timeout: START_MS }, async () => {
  const api = apiIn(first.output());
  const headers = {
    authorization: `Bearer ${(await run('token', 'consumer')).trim()}`,
    'content-type': 'application/json',
    origin: 'http://localhost:5173',
  };
  const wallets = async () => {
    const response = await fetch(`${api}/consumer/wallets`, { headers });
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    return z.array(z.object({ id: z.string(), balance: z.int() })).parse(await response.json());
  };
  const [wallet] = await wallets();
  await fetch(`${api}/consumer/wallets/${wallet?.id}/redeem/confirm`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ pointsToRedeem: 100 }),
  });
  expect(await wallets()).toMatchObject([{ balance: 250 }]);
  expect(await run('expire-codes')).toContain('1 code runs out now');
  await expect.poll(wallets, { timeout: 30_000 }).toMatchObject([{ balance: 350 }]);
  expect(await run('expire-codes')).toContain('There is no code that can be used.');
});

it("gives an operator's commands its settings", { timeout: START_MS }, async () => {
  const listed = await run('sandbox-env', 'npm', 'run', '-s', 'ops', '--', 'connections', '--json');
  expect(JSON.parse(listed)).toHaveLength(2);
  const verified = await run('sandbox-env', 'npm', 'run', '-s', 'verify');
  expect(verified).toContain('Every wallet adds up.');
  const schedules = await run('sandbox-env', 'temporal', 'schedule', 'list');
  expect(schedules).toContain('sweep-pending');
  const checked = await run('sandbox-env', 'npm', 'run', '-s', 'ops', '--', 'doctor');
  expect(checked).toContain('has its limits');
  expect(checked).not.toContain('FAILED');
});

/** What a merchant may do in the portal, after which a sale at each till earns less. */
async function disconnectAndPublish(): Promise<void> {
  const api = apiIn(first.output());
  const headers = {
    authorization: `Bearer ${(await run('token', 'merchant')).trim()}`,
    'content-type': 'application/json',
  };
  const [, tenantId] = /TenantIds="([^"]+)"/.exec(first.output()) ?? [];
  const tenant = `${api}/client/tenants/${tenantId}`;
  const listed = await (await fetch(`${tenant}/pos-connections`, { headers })).json();
  const connections = z.array(z.object({ id: z.string(), posType: z.string() })).parse(listed);
  const id = connections.find(({ posType }) => posType === 'beta')?.id;
  const body = JSON.stringify({ conversionRate: 0.05 });
  const answers = [
    await fetch(`${tenant}/pos-connections/${id}`, { method: 'DELETE', headers }),
    await fetch(`${tenant}/reward-rules`, { method: 'POST', headers, body }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 201]);
}

it('refuses a second start on the same state, and names the first process', async () => {
  const second = start('one');
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`already runs as process ${first.child.pid}`);
  expect(living(await pidsOf('one'))).toHaveLength(4);
});

it('starts beside another sandbox on other ports, and reports them', {
  timeout: START_MS,
}, async () => {
  const beside = start('two');
  const output = await open(beside);
  const isUsual = apiIn(output).includes(':3000/');
  expect(/Port \d+ is busy, so api takes \d+/.test(output)).toBe(!isUsual);
  expect(apiIn(output)).not.toBe(apiIn(first.output()));
  expect(balanceIn(output)).toBe(250);

  await expectEndAfterKill(beside, 'two', 'temporal.db.pid', 'Temporal');
  expect(living(await pidsOf('one'))).toHaveLength(4);
});

it('recovers its state after kill -9, whatever was changed in it', {
  timeout: START_MS,
}, async () => {
  await disconnectAndPublish();
  const orphans = await pidsOf('one');
  first.child.kill('SIGKILL');
  await first.ended;

  const again = start('one');
  const output = await open(again);
  expect(output).toMatch(/Stopped the api that an earlier start left behind/);
  expect(output).not.toMatch(/is busy/);
  expect(output).not.toContain('First sales');
  expect(balanceIn(output)).toBe(350);
  expect(living(orphans)).toEqual([]);

  const pids = await pidsOf('one');
  expect(living(pids)).toHaveLength(4);
  again.child.kill('SIGINT');
  expect(await again.ended).toBe(0);
  expect(living(pids)).toEqual([]);
});

it('starts over with --fresh', { timeout: START_MS }, async () => {
  const fresh = start('one', '--fresh');
  expect(balanceIn(await open(fresh))).toBe(250);
  const past = await run('sale', '--days', '7');
  expect(past).toMatch(/^\d+ sales of the last 7 days were rung, \d+ of them of people/);
  expect(past).toMatch(/They earned [1-9]\d* points\./);
  await expectEndAfterKill(fresh, 'one', 'postgres/postmaster.pid', 'PostgreSQL');
});
