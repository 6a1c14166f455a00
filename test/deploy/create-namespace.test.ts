import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { ensureTemporalCli } from '../../sandbox/temporal/cli.ts';
import { requireSearchAttributes } from '../../worker/search-attributes.ts';
import { useTemporal } from '../support/fixtures.ts';

const SCRIPT = fileURLToPath(new URL('../../deploy/temporal/create-namespace.sh', import.meta.url));
const TWO_WEEKS_IN_SECONDS = 14 * 24 * 3600;

const execute = promisify(execFile);
const temporal = await useTemporal();
const { path: cli } = await ensureTemporalCli(() => {});

function create(namespace: string, address = temporal.address) {
  const env = {
    HOME: tmpdir(),
    PATH: `${dirname(cli)}:${process.env.PATH}`,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
  };
  return execute('/bin/sh', [SCRIPT], { env });
}

describe('create-namespace.sh', () => {
  it('makes a namespace in which a worker starts, and may run again', async () => {
    const namespace = `made-${randomUUID()}`;
    await create(namespace);
    await create(namespace);
    const log = createLogger({ level: 'silent', service: 'test' });
    await requireSearchAttributes(temporal.connection, namespace, log);
    const { config } = await temporal.connection.workflowService.describeNamespace({ namespace });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(TWO_WEEKS_IN_SECONDS);
  });

  it('fails and says why when the server cannot be reached', async () => {
    const nowhere = `127.0.0.1:${await freePort()}`;
    const failed = await create('loyalty', nowhere).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('failed reaching server'),
    });
  });
});
