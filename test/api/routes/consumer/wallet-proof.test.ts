import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import { statementName, statementText } from '../../../../domain/statement.ts';
import { WalletProof } from '../../../../domain/wallet-proof.ts';
import {
  checkProof,
  contradictionsOf,
  hashOfStatement,
} from '../../../../gateways/crypto/proof-check.ts';
import { rewriteLedger } from '../../../support/database/rewritten-ledger.ts';
import { aCredit, aTenant, aWallet, postByHand, required } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';
import {
  createMemoryStore,
  signAll,
  statementsOf,
  testStatementKeys,
} from '../../../support/points/statements.ts';
import { runOpsHere } from '../../../support/run-ops.ts';

const objects = createMemoryStore();
const app = await useApp({ objects });
const { db } = app;
const ann = await app.signIn({ role: 'consumer', email: 'ann@example.com' });
const { publicKey } = testStatementKeys.current;
const folder = await mkdtemp(join(tmpdir(), 'loyalty-proofs-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

let walletId: WalletId;
beforeEach(async () => {
  const tenantId = await aTenant(db);
  walletId = await aWallet(db, { tenantId, userId: ann.userId, balance: 100 });
  for (let nth = 0; nth < 4; nth++) await aWallet(db, { tenantId, balance: 1 });
});

const ask = (id: string, token = ann.token) =>
  app.call({ path: `/api/v1/consumer/wallets/${id}/proof`, token });
const proofOf = async (id: string) => WalletProof.parse((await ask(id)).body);
const credit = (points = 7) => db.transaction((tx) => postByHand(tx, [aCredit(walletId, points)]));

/** Adds statements about other wallets, each of which names the one before it. */
async function addStatements(tenantId: TenantId, { until }: { until: number }): Promise<void> {
  const newest = required((await statementsOf(db, tenantId)).at(-1));
  const rows: { id: string; text: string; signature: Buffer }[] = [];
  let previous = hashOfStatement(newest.text);
  const day = '2026-01-16';
  const { keyId } = testStatementKeys.current;
  for (let number = newest.number + 1; number <= until; number++) {
    const at = '2026-01-17T00:41:00.123Z';
    const facts = { root: 'ab'.repeat(32), size: 1, keyId };
    const text = statementText({ tenantId, number, day, at, previous, ...facts });
    const signature = Buffer.from(testStatementKeys.sign(text), 'hex');
    const row = { id: randomUUID(), tenantId, number, day, size: 1, text, signature };
    rows.push(row);
    previous = hashOfStatement(text);
  }
  await db.batchInsert('ledger_statements', rows, 1_000);
}

/** Checks proofs as a consumer would, with nothing but their files. */
async function checkFiles(proof: unknown, earlier?: unknown, ...options: string[]) {
  const [file, former] = [join(folder, 'proof.json'), join(folder, 'earlier.json')];
  await writeFile(file, typeof proof === 'string' ? proof : JSON.stringify(proof));
  if (earlier !== undefined) await writeFile(former, JSON.stringify(earlier));
  const args = [file, ...(earlier === undefined ? [] : ['--earlier', former]), ...options];
  return runOpsHere(['check-proof', ...args]);
}

describe('GET …/proof', () => {
  it('200 with a history that verifies by itself, and says what is not signed yet', async () => {
    await aRedemption(db, { walletId, points: 40 });
    await signAll(db, objects, '2026-01-15');
    await credit();
    const proof = await proofOf(walletId);
    expect(checkProof(proof, [publicKey])).toMatchObject({
      problems: [],
      signedUntil: 2,
      lastEntry: 3,
      statements: [{ number: 1, day: '2026-01-15', size: 5 }],
    });
    const { status, out } = await checkFiles(proof, undefined, '--key', publicKey);
    expect(status).toBe(0);
    expect(out).toMatch(/^signed +up to entry 2$/m);
    expect(out).toMatch(/^statement +1 of 2026-01-15/m);
    expect(out).toContain('The last 1 entries are not signed yet');
    expect(out).toContain('The proof is right.');
    expect(out).not.toContain('The keys came with the file');
  });

  it('200 with the statements since the one that names the wallet', async () => {
    await signAll(db, objects, '2026-01-15');
    const tenantId = (await proofOf(walletId)).tenantId;
    for (const day of ['2026-01-16', '2026-01-17']) {
      await aWallet(db, { tenantId, balance: 1 });
      await signAll(db, objects, day);
    }
    const proof = await proofOf(walletId);
    expect(proof.statements).toHaveLength(3);
    expect(checkProof(proof, [publicKey])).toMatchObject({ problems: [], signedUntil: 1 });
  });

  it('200 with a statement that the object store does not have yet', async () => {
    await signAll(db, { ...objects, get: async () => Buffer.from('another') }, '2026-01-15');
    const proof = await proofOf(walletId);
    expect(checkProof(proof, [publicKey]).problems).toEqual([]);
    await signAll(db, objects, '2026-01-16');
  });

  it('200 with nothing signed before the first statement, which is no error', async () => {
    const proof = await proofOf(walletId);
    expect(proof).toMatchObject({ inclusion: null, statements: [] });
    const { status, out } = await checkFiles(proof, proof);
    expect(status).toBe(3);
    expect(out).toContain('no statement names the wallet');
    expect(out).toContain('The earlier proof is not signed: its entries were compared');
    expect(out).toContain('The proof is not signed yet.');
    expect(out).not.toContain('NOT right');

    await signAll(db, objects, '2026-01-15');
    const signed = await proofOf(walletId);
    const later = await checkFiles(signed, proof);
    expect(later.status).toBe(0);
    expect(later.out).toContain('The earlier proof is not signed');
    expect(later.out).toContain('The proof is right.');
    const back = await checkFiles(proof, signed, '--json');
    expect(back.status).toBe(1);
    expect(JSON.parse(back.out)).toMatchObject({ verdict: 'not_right', isRight: false });
  });

  it('200 with all statements since the one that names the wallet, however many', async () => {
    await signAll(db, objects, '2026-01-15');
    const { tenantId } = await proofOf(walletId);
    await addStatements(tenantId, { until: 10_002 });
    const proof = await proofOf(walletId);
    expect(proof.statements).toHaveLength(10_002);
    expect(checkProof(proof, [publicKey]).problems).toEqual([]);
  });

  it('422 RULE_REJECTED instead of a proof that leaves statements out', async () => {
    await signAll(db, objects, '2026-01-15');
    const { tenantId } = await proofOf(walletId);
    await db.raw(
      `insert into ledger_statements (id, tenant_id, number, day, size, text, signature)
       select gen_random_uuid(), :tenantId, n, '2026-01-16', 1, 'text', repeat('s', 64)::bytea
       from generate_series(2, 20001) n`,
      { tenantId },
    );
    expect(await ask(walletId)).toMatchObject({
      status: 422,
      body: {
        code: 'RULE_REJECTED',
        message: expect.stringContaining('More statements have followed'),
      },
    });
  });

  it('200 with what shows that the ledger was rewritten from the first entry', async () => {
    await credit();
    await signAll(db, objects, '2026-01-15');
    const earlier = await proofOf(walletId);
    await rewriteLedger(app.owner, walletId, 1_000);
    const proof = await proofOf(walletId);
    const problem = 'Statement 1 of 2026-01-15: does not name entry 2 with its hash';
    expect(checkProof(proof).problems).toEqual([expect.stringContaining(problem)]);
    expect(contradictionsOf(earlier, proof)).toEqual(['Entry 1 was another one.']);
    const { status, out } = await checkFiles(proof, earlier);
    expect(status).toBe(1);
    expect(out).toContain(problem);
    expect(out).toContain('Entry 1 was another one.');
    expect(out).toContain('The proof is NOT right.');
    expect(await checkFiles(earlier)).toMatchObject({ status: 0 });
    await rewriteLedger(app.owner, walletId, -1_000);
  });

  it('200 without a contact, and only with ids of the own wallet', async () => {
    await signAll(db, objects, '2026-01-15');
    const text = JSON.stringify(await proofOf(walletId));
    const others = await db('wallets').whereNot('userId', ann.userId).select('id', 'userId');
    expect(others.length).toBeGreaterThan(3);
    for (const word of ['@', ann.userId, ...others.flatMap(({ id, userId }) => [id, userId])]) {
      expect(text).not.toContain(word);
    }
  });

  it('404 NOT_FOUND for an unknown wallet and for that of another person', async () => {
    const foreign = await aWallet(db, { balance: 5 });
    for (const id of [foreign, randomUUID(), 'not-an-id']) {
      expect(await ask(id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  it('no statement is served as a picture', async () => {
    await signAll(db, objects, '2026-01-15');
    const { tenantId } = await proofOf(walletId);
    const name = statementName({ tenantId, number: 1 });
    expect(objects.objects.has(name)).toBe(true);
    for (const path of [name, encodeURIComponent(name), `../${name}`, name.replace('.json', '')]) {
      expect(await app.call({ path: `/objects/${path}` })).toMatchObject({ status: 404 });
    }
  });
});

describe('npm run ops -- check-proof', () => {
  it('exits 1 and says why a file cannot be read', async () => {
    for (const [file, says] of [
      ['{', 'is not JSON'],
      ['[]', 'is not a proof of a wallet'],
      ['{"format":"loyalty-wallet-proof/v2"}', 'format'],
    ]) {
      const { status, err } = await checkFiles(required(file));
      expect(status).toBe(1);
      expect(err).toContain(says);
    }
  });

  it('exits 2 for a key that is none', async () => {
    const { status, err } = await checkFiles('{}', undefined, '--key', 'mine');
    expect(status).toBe(2);
    expect(err).toContain('--key must be public keys');
  });
});
