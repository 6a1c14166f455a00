import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { settingNames } from '../../gateways/providers/index.ts';
import { commandEnvironment } from '../../sandbox/command-environment.ts';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { commandsOf } from './runbook.ts';

// Every command of docs/operating.md against what `npm start` has started: in its order, but for
// those that end a connection or a shop, which come last.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMMANDS = commandsOf(new URL('../../docs/operating.md', import.meta.url));

/** What only the machine of an installation has, or another test does. */
const ELSEWHERE = [
  /^(docker|kubectl) /,
  // `backups.scenario.ts` has a store, and no bucket of an installation.
  /^aws s3api /,
  /^API=/,
  // Runs in `npm test`.
  /^npx vitest run test\/workflows\/replay/,
  // The sandbox's worker has no versions; `two-releases.scenario.ts` has them.
  /^temporal worker deployment /,
];
/** What is refused here, rightly, and how. */
const REFUSED: [RegExp, RegExp][] = [
  [/events dismiss/, /given up/],
  [/^npm run ops -- suspend ADMIN/, /last administrator/],
  // The sandbox's shop publishes none by itself.
  [/ops -- (expire-points|decide-tiers) /, /no programme/],
];

/** After these, nothing can be done any more with what they end. */
const ENDING = [/connection disconnect/, /tenant close/];
const isEnding = (command: string) => ENDING.some((those) => those.test(command));

const run = promisify(execFile);
const values: Record<string, string> = {};
let folder: string;
let sandbox: ChildProcess;
let env: NodeJS.ProcessEnv;

async function shell(command: string): Promise<{ status: number; output: string }> {
  try {
    const { stdout, stderr } = await run('bash', ['-c', `set -o pipefail; ${command}`], {
      cwd: ROOT,
      env,
      maxBuffer: 1 << 26,
    });
    return { status: 0, output: stdout + stderr };
  } catch (error) {
    const Failed = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });
    const { code, stdout, stderr } = Failed.parse(error);
    return { status: code, output: stdout + stderr };
  }
}

async function ops(args: string): Promise<unknown> {
  const { output } = await shell(`npm run -s ops -- ${args} --json`);
  return JSON.parse(output);
}

async function api(method: string, path: string, who: string, body?: unknown) {
  const token = (await shell(`npm run -s token -- ${who}`)).output.trim();
  const response = await fetch(`${env.API}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return z
    .looseObject({})
    .or(z.array(z.looseObject({})))
    .parse(await response.json());
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loyalty-runbook-'));
  sandbox = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, SANDBOX_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  sandbox.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  await vi.waitUntil(() => text.includes('Ctrl-C stops everything'), { timeout: 300_000 });
  const known = required(commandEnvironment(folder));
  const health = required(known.WORKER_HEALTH_PORT);
  // Commands run where a worker runs, which lacks what only the API reads.
  const { CRON_SECRET: _, ...others } = known;
  env = { ...others, SANDBOX_DIR: folder };
  for (const { webhookKey } of settingNames()) delete env[webhookKey];
  env.TOKEN = (await shell('npm run -s token -- admin')).output.trim();

  const Connections = z.array(
    z.looseObject({ id: z.string(), tenantId: z.string(), posType: z.string() }),
  );
  const connections = Connections.parse(await ops('connections'));
  const alpha = required(connections.find(({ posType }) => posType === 'alpha'));
  const Events = z.array(z.looseObject({ id: z.string() }));
  const events = Events.parse(await ops('events list --kind processed'));
  const [wallet] = z
    .array(z.looseObject({ id: z.string() }))
    .parse(await api('GET', '/consumer/wallets', 'consumer'));
  const walletId = required(wallet).id;
  const redemptions: string[] = [];
  // Apart, so that each has a run of its own.
  for (let nth = 0; nth < 3; nth++) {
    const path = `/consumer/wallets/${walletId}/redeem/confirm`;
    const issued = z.looseObject({ redemptionId: z.string() });
    redemptions.push(
      issued.parse(await api('POST', path, 'consumer', { pointsToRedeem: 1 })).redemptionId,
    );
    await sleep(2_000);
  }
  const Entries = z.array(z.looseObject({ sourceId: z.string() }));
  const history = `/consumer/wallets/${walletId}/history`;
  const entries = Entries.parse(await api('GET', history, 'consumer'));
  const users = z.looseObject({ userId: z.string() });
  const operator = users.parse(await api('GET', '/auth/me', 'operator'));
  Object.assign(values, {
    EVENT_ID: required(events[0]).id,
    TENANT_ID: alpha.tenantId,
    CONNECTION_ID: alpha.id,
    WALLET_ID: walletId,
    REDEMPTION_ID: required(redemptions[0]),
    PAYMENT_ID: required(entries.at(-1)).sourceId,
    USER_ID: operator.userId,
    USER_EMAIL: PEOPLE.operator.email,
    HEALTH: `127.0.0.1:${health}`,
  });
}, 360_000);

afterAll(async () => {
  sandbox.kill('SIGTERM');
  await once(sandbox, 'exit');
  await rm(folder, { recursive: true, force: true });
});

/** The ids of runs that follow codes and are open: each command that ends one takes another. */
async function openRuns(): Promise<string[]> {
  const query = `WorkflowType = "followRedemptions" and ExecutionStatus = "Running"`;
  const { output } = await shell(`temporal workflow list --query '${query}' -o json`);
  const Runs = z.array(z.looseObject({ execution: z.looseObject({ workflowId: z.string() }) }));
  return Runs.parse(JSON.parse(output)).map(({ execution }) => execution.workflowId);
}

async function filledIn(command: string): Promise<string> {
  const isRun = command.includes('--workflow-id ID');
  const id = isRun
    ? (await openRuns())[0]
    : command.includes('payment')
      ? values.PAYMENT_ID
      : values.REDEMPTION_ID;
  return (
    command
      .replaceAll('TENANT_ID.csv', join(folder, 'tenant.csv'))
      .replaceAll('new.csv', join(folder, 'new.csv'))
      .replaceAll(/\bSEQ\b/g, '1')
      .replaceAll('PROVIDER_PAYMENT_ID', required(values.PAYMENT_ID))
      .replaceAll('WORKER:PORT', required(values.HEALTH))
      .replaceAll('"RELEASE"', '"2026-01-01T00:00:00Z"')
      .replaceAll(/\b(EVENT_ID|TENANT_ID|CONNECTION_ID|WALLET_ID|USER_ID|USER_EMAIL)\b/g, (name) =>
        required(values[name]),
      )
      // Only somebody of the administrators' domain can be one.
      .replaceAll('grant-admin EMAIL', `grant-admin ${PEOPLE.admin.email}`)
      .replaceAll(/\bEMAIL\b/g, required(values.USER_EMAIL))
      .replaceAll(/\bID\b/g, required(id))
  );
}

it('has commands, each of which is tried', () => {
  expect(COMMANDS.length).toBeGreaterThan(60);
  expect(COMMANDS.filter((command) => /\n#/.test(command))).toEqual([]);
});

const tried = COMMANDS.filter((command) => !ELSEWHERE.some((those) => those.test(command)));

it.each([...tried.filter((command) => !isEnding(command)), ...tried.filter(isEnding)])(
  '%s',
  async (command) => {
    const { status, output } = await shell(await filledIn(command));
    const refusal = REFUSED.find(([which]) => which.test(command));
    if (refusal === undefined) expect(status, output).toBe(0);
    else expect(output).toMatch(refusal[1]);
  },
);
