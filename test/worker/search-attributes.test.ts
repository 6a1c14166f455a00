import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { prepareNamespace, type SearchAttributes } from '../../sandbox/temporal/namespace.ts';
import { requireSearchAttributes } from '../../worker/search-attributes.ts';

const log = createLogger({ level: 'silent', service: 'test' });
let connection: NativeConnection;
beforeAll(async () => {
  connection = await NativeConnection.connect({ address: inject('temporalAddress') });
});
afterAll(() => connection.close());

/** Requires them in a new namespace that has these, or by default all. */
async function requiredIn(attributes?: SearchAttributes): Promise<void> {
  const namespace = `search-${randomUUID()}`;
  await prepareNamespace(inject('temporalAddress'), namespace, attributes);
  await requireSearchAttributes(connection, namespace, log);
}

describe('requireSearchAttributes', () => {
  it('accepts a namespace as the sandbox makes it', async () => {
    await requiredIn();
  });

  it('names what is missing, and the command that creates it', async () => {
    const refused = expect(requiredIn({ Provider: 'Keyword' })).rejects;
    await refused.toThrow(/lacks .* TenantIds \(KeywordList\), ConnectionId \(Keyword\), /);
    const command = '--name TenantIds --type KeywordList --name ConnectionId --type Keyword';
    await refused.toThrow(new RegExp(`search-attribute create .*${command}$`));
  });

  it('names an attribute that has another type', async () => {
    await expect(
      requiredIn({ Provider: 'Keyword', TenantIds: 'Keyword', ConnectionId: 'Keyword' }),
    ).rejects.toThrow(/TenantIds \(KeywordList\), or has them with another type/);
  });

  it('goes on, with a warning, where the cluster does not let us list them', async () => {
    const refusing = await startRefusing();
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', service: 'test' }, { write: (it) => lines.push(it) });
    const refused = await NativeConnection.connect({ address: refusing.address });
    await requireSearchAttributes(refused, 'loyalty', log);
    expect(lines.join()).toContain('search_attributes_unchecked');
    await refused.close();
    refusing.stop();
  });

  it('throws in an unknown namespace', async () => {
    await expect(requireSearchAttributes(connection, `none-${randomUUID()}`, log)).rejects.toThrow(
      'not found',
    );
  });
});

/** A server of gRPC that answers every call with nothing, and forbids to list search attributes. */
async function startRefusing() {
  const [ok, permissionDenied] = ['0', '7'];
  const server = createServer().on('stream', (stream, headers) => {
    const isListing = headers[':path']?.endsWith('/ListSearchAttributes');
    stream.on('wantTrailers', () => {
      stream.sendTrailers({ 'grpc-status': isListing ? permissionDenied : ok });
    });
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
    const emptyMessage = Buffer.alloc(5);
    stream.end(emptyMessage);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { address: `127.0.0.1:${port}`, stop: () => server.close() };
}
