import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { route } from '../../../api/http/route.ts';
import { createErrorReporter } from '../../../gateways/telemetry/error-reporter.ts';
import { createTestDatabase } from '../../support/database/test-database.ts';
import { serveRoutes } from '../../support/http/serve-routes.ts';
import { startIssuer } from '../../support/people/issuer.ts';
import { tokenFor } from '../../support/people/tokens.ts';

const SOURCE = new URL('../../../gateways/telemetry/error-reporter.ts', import.meta.url);

const Event = z.object({
  level: z.string(),
  environment: z.string(),
  tags: z.record(z.string(), z.string()),
  exception: z.object({
    values: z.array(
      z.object({
        type: z.string(),
        value: z.string(),
        stacktrace: z.object({ frames: z.array(z.unknown()).min(1) }),
      }),
    ),
  }),
});

/** The requests to a fake Sentry, as text. */
let received: string[] = [];
let server: Server;
let dsn: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push(JSON.stringify(request.headers) + Buffer.concat(chunks).toString());
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = z.object({ port: z.int() }).parse(server.address());
  dsn = `http://publickey@127.0.0.1:${address.port}/7`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});
beforeEach(() => {
  received = [];
});

/** The events received; a Sentry envelope is one JSON text per line. */
function events(): z.infer<typeof Event>[] {
  const lines = received.flatMap((text) => text.split('\n'));
  return lines.filter((line) => line.includes('"exception"')).map((line) => parseEvent(line));
}

const parseEvent = (line: string) => Event.parse(JSON.parse(line));
const createReporter = () => createErrorReporter({ dsn, service: 'api', environment: 'test' });

/** Runs a script in its own process. It may import by absolute path. */
async function runScript(script: string) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}

describe('an unexpected error', () => {
  it('is reported with its stack, its causes and its tags', async () => {
    const reporter = await createReporter();
    const cause = new RangeError('the cause');
    reporter.report(new TypeError('a bug', { cause }), { requestId: 'r-1' });
    await reporter.close();
    const [event] = events();
    expect(events()).toHaveLength(1);
    expect(event).toMatchObject({
      level: 'error',
      environment: 'test',
      tags: { service: 'api', requestId: 'r-1' },
    });
    const values = event?.exception.values.map(({ type, value }) => `${type}: ${value}`);
    expect(values).toEqual(['RangeError: the cause', 'TypeError: a bug']);
  });

  it('of a request is reported without data of the request or of the machine', async () => {
    const reporter = await createReporter();
    const database = await createTestDatabase();
    const issuer = await startIssuer();
    const bug = route({
      method: 'POST',
      path: '/bug',
      access: 'WALLET_REDEEM',
      summary: 'Has a bug',
      body: z.object({ note: z.string() }),
      handle({ body }) {
        if (body.note) throw new Error('a bug');
        return {};
      },
    });
    const served = await serveRoutes([bug], {
      issuer,
      db: database.db,
      report: (error, { correlationId }) => reporter.report(error, { requestId: correlationId }),
    });
    const email = 'someone@people.example';
    const token = await tokenFor(database.db, issuer, { role: 'consumer', email });
    const response = await fetch(`${served.url}/api/v1/bug?q=in-the-query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-correlation-id': 'the-request',
        'user-agent': 'the-agent',
      },
      body: JSON.stringify({ note: 'in-the-body' }),
    });
    expect(response.status).toBe(500);
    await served.close();
    await issuer.close();
    await database.close();
    await reporter.close();

    expect(events().map(({ tags }) => tags.requestId)).toEqual(['the-request']);
    const all = received.join('\n');
    const [, claims = ''] = token.split('.');
    for (const secret of [token, claims, email, 'in-the-body', 'in-the-query', 'the-agent']) {
      expect(all).not.toContain(secret);
    }
    expect(all).not.toContain(`"${hostname()}"`);
  });

  it('of Postgres is reported without the values it quotes', async () => {
    const reporter = await createReporter();
    const { db, close } = await createTestDatabase();
    const failed = db.raw('select :text::uuid', { text: 'someone@people.example' });
    const error = await Promise.resolve(failed).catch((reason: unknown) => reason);
    expect(String(error)).toContain('someone@people.example');
    reporter.report(error, {});
    reporter.report(new Error('outer', { cause: error }), {});
    await close();
    await reporter.close();
    expect(events()).toHaveLength(2);
    expect(received.join('\n')).not.toContain('someone@people.example');
  });

  it('that is not an Error is reported without its content', async () => {
    const reporter = await createReporter();
    reporter.report({ password: '12345' }, {});
    await reporter.close();
    expect(events()[0]?.exception.values[0]?.value).toBe(
      'A value that is not an Error was thrown: object.',
    );
    expect(received.join('\n')).not.toContain('12345');
  });

  it('that ends the process is reported before it ends', async () => {
    const { code } = await runScript(`
      import { createErrorReporter } from '${SOURCE}';
      await createErrorReporter({ dsn: '${dsn}', service: 'worker', environment: 'test' });
      setTimeout(() => { Promise.reject(new Error('unhandled')); });
      setTimeout(() => {}, 60_000);
    `);
    expect(code).toBe(1);
    expect(events()).toMatchObject([{ level: 'fatal', tags: { service: 'worker' } }]);
  });
});

describe('createErrorReporter', () => {
  it('does nothing without a DSN', async () => {
    const options = { dsn: undefined, service: 'api', environment: 'test' };
    const reporter = await createErrorReporter(options);
    reporter.report(new Error('a bug'), {});
    await reporter.close();
    expect(received).toEqual([]);
  });

  it('throws for an invalid DSN', async () => {
    const options = { dsn: 'https://sentry.example', service: 'api', environment: 'test' };
    await expect(createErrorReporter(options)).rejects.toThrow('SENTRY_DSN is not a DSN');
  });

  it('throws for a DSN without the package, and says what to do', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'loyalty-reporter-'));
    await copyFile(SOURCE, join(dir, 'error-reporter.ts'));
    await writeFile(join(dir, 'package.json'), '{"type":"module"}');
    const { code, output } = await runScript(`
      import { createErrorReporter } from '${join(dir, 'error-reporter.ts')}';
      await createErrorReporter({ dsn: '${dsn}', service: 'api', environment: 'test' });
    `);
    await rm(dir, { recursive: true });
    expect(code).toBe(1);
    expect(output).toContain(
      'Install it with "npm install --include=optional", or unset SENTRY_DSN',
    );
  });
});
