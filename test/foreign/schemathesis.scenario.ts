import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aProgramme, aRule, aTenant, aUser, required } from '../support/factories.ts';
import { anInvite } from '../support/people/invites.ts';
import { type Issuer, startIssuer } from '../support/people/issuer.ts';
import { tokenFor } from '../support/people/tokens.ts';
import { aTill } from '../support/points/payments.ts';
import { ensurePython, ifThere } from './programs.ts';
import { runSchemathesis } from './schemathesis.ts';
import { cleanUps, makeFolder, type Service, startRealService } from './service.ts';

// The document, tried by a program that has read nothing else. Each caller has a shop and people
// of its own, since what the callers do, among much else, is to disconnect, freeze and suspend.

const found = await ensurePython('schemathesis');
const python = 'path' in found ? found.path : '';

const undo = cleanUps();
let folder: string;
let service: Service;
let issuer: Issuer;

/** The administrator is the last, who may suspend all the others. */
const CALLERS = ['nobody', 'consumer', 'pos_operator', 'client', 'admin'] as const;

/** Creates a shop with a sale, and a caller who has to do with it. */
async function aCaller(role: (typeof CALLERS)[number]) {
  const { db } = service;
  const tenantId = await aTenant(db, { country: 'US' });
  await aRule(db, tenantId);
  await aProgramme(db, tenantId, { timeZone: 'America/New_York', tillAttach: true });
  const email = `${role}-${randomUUID()}@staff.example`;
  const isStaff = role === 'client' || role === 'pos_operator';
  const token =
    role === 'nobody'
      ? undefined
      : await tokenFor(db, issuer, { role, email, ...(isStaff && { member: tenantId }) });
  const buyer = role === 'consumer' ? email : `${randomUUID()}@shop.example`;
  if (role !== 'consumer') await aUser(db, { email: buyer });
  const sell = await aTill(db, tenantId);
  const transactionId = await sell({ email: buyer, amount: 90_000 });
  const credit = required(
    await db('ledger_entries as e')
      .join('wallets as w', 'w.id', 'e.walletId')
      .where({ tenantId })
      .first<{ id: string; walletId: string }>('e.id', 'e.walletId'),
  );
  const connection = required(
    await db('pos_connections').where({ tenantId }).first<{ id: string }>('id'),
  );
  const invite = await anInvite(db, { tenantId, ...(role === 'consumer' && { email }) });
  const operator = await aUser(db, { role: 'pos_operator' });
  await db('memberships').insert({ tenantId, userId: operator, role: 'pos_operator' });
  const ids = {
    TENANT_ID: tenantId,
    WALLET_ID: credit.walletId,
    ENTRY_ID: credit.id,
    TRANSACTION_ID: transactionId,
    CONNECTION_ID: connection.id,
    INVITE_ID: invite.id,
    USER_ID: operator,
    OTHER_ID: randomUUID(),
  };
  return { token, ids };
}

describe('schemathesis, with every check', ifThere(found), () => {
  beforeAll(async () => {
    folder = await makeFolder(undo);
    issuer = await startIssuer();
    undo.add(issuer.close);
    const nowhere = 'http://127.0.0.1:9';
    service = await startRealService(undo, {
      OIDC_ISSUER: issuer.url,
      ALPHA_APP_ID: 'alpha',
      ALPHA_APP_SECRET: 'secret',
      ALPHA_ORIGIN: nowhere,
      BETA_APP_ID: 'BETA',
      BETA_APP_SECRET: 'secret',
      BETA_WEB_ORIGIN: nowhere,
      BETA_API_ORIGIN: nowhere,
    });
  });
  afterAll(() => undo.run());

  it.each(CALLERS)(
    'finds nothing as %s',
    async (role) => {
      const at = { apiUrl: service.apiUrl, folder, name: role };
      const { findings, summary } = await runSchemathesis(python, at, await aCaller(role));
      process.stdout.write(`${role}: ${/\d+ generated.*/.exec(summary)?.[0] ?? summary}\n`);
      expect(findings).toBe('');
    },
    900_000,
  );
});
