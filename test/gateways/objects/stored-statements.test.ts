import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TenantId } from '../../../domain/ids.ts';
import { statementName } from '../../../domain/statement.ts';
import { createFileStore } from '../../../gateways/objects/file-store.ts';
import { readStatement } from '../../../gateways/objects/stored-statements.ts';

const of = { tenantId: TenantId.parse('9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42'), number: 7 };
const stored = {
  format: 'loyalty-statement/v1',
  text: 'text',
  signature: 'ab'.repeat(64),
  wallets: [{ walletId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21', seq: 3, head: 'cd'.repeat(32) }],
};

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'loyalty-statements-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function put(content: string) {
  const objects = createFileStore(dir);
  const bytes = Buffer.from(content);
  await objects.put(statementName(of), { bytes, contentType: 'application/json' });
  return objects;
}

describe('readStatement', () => {
  it('reads what was stored below its prefix, and nothing else is left there', async () => {
    const objects = await put(JSON.stringify(stored));
    expect(await readStatement(objects, of)).toEqual(stored);
    expect(await readdir(join(dir, 'statements', of.tenantId))).toEqual(['0000000007.json']);
    expect(await readStatement(objects, { ...of, number: 8 })).toBeUndefined();
  });

  it.each(['', '{', '{}', JSON.stringify({ ...stored, signature: '' })])(
    'takes %j for no statement',
    async (content) => {
      expect(await readStatement(await put(content), of)).toBeUndefined();
    },
  );
});
