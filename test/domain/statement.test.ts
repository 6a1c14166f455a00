import { describe, expect, it } from 'vitest';
import { ObjectName, TenantId, WalletId } from '../../domain/ids.ts';
import {
  leafText,
  parseStatement,
  type Statement,
  statementName,
  statementText,
} from '../../domain/statement.ts';

const statement: Statement = {
  tenantId: TenantId.parse('9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42'),
  number: 12,
  day: '2026-01-15',
  at: '2026-01-16T00:41:00.123Z',
  previous: 'ab'.repeat(32),
  root: 'cd'.repeat(32),
  size: 3,
  keyId: '21fe31dfa154a261',
};
const text = statementText(statement);

describe('the text of a statement', () => {
  it('has a line for each field, and is read back', () => {
    expect(text).toBe(
      'loyalty ledger statement v1\n' +
        'tenant 9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42\n' +
        'number 12\n' +
        'day 2026-01-15\n' +
        'at 2026-01-16T00:41:00.123Z\n' +
        `previous ${'ab'.repeat(32)}\n` +
        `root ${'cd'.repeat(32)}\n` +
        'size 3\n' +
        'key 21fe31dfa154a261\n',
    );
    expect(parseStatement(text)).toEqual(statement);
  });

  it.each([
    { changed: text.slice(0, -1), because: 'the last line has no end' },
    { changed: `${text}\n`, because: 'a line is too many' },
    { changed: text.replace('v1', 'v2'), because: 'it is of another version' },
    { changed: text.replace('number 12', 'number 012'), because: 'a number has two forms' },
    { changed: text.replace('number 12', 'number 0'), because: 'the first one has number 1' },
    { changed: text.replaceAll('ab', 'AB'), because: 'hashes have one form' },
    { changed: text.replaceAll('\n', '\r\n'), because: 'lines have one end' },
    {
      changed: text.replace(statement.tenantId, '-'.repeat(36)),
      because: 'the tenant has no id of one',
    },
    { changed: '', because: 'it is empty' },
  ])('is not read when $because', ({ changed }) => {
    expect(parseStatement(changed)).toBeUndefined();
  });
});

describe('statementName', () => {
  it('is below a prefix that is no name of a served object', () => {
    const name = statementName(statement);
    expect(name).toBe('statements/9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42/0000000012.json');
    expect(ObjectName.safeParse(name).success).toBe(false);
  });
});

it('a leaf is of the wallet, its last entry and the hash there', () => {
  const walletId = WalletId.parse('6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21');
  expect(leafText({ walletId, seq: 20, head: 'ef'.repeat(32) })).toBe(
    `6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21|20|${'ef'.repeat(32)}`,
  );
});
