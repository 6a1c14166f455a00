import { randomUUID } from 'node:crypto';
import { isErasable } from '../../domain/erasure.ts';
import type { UserId, WalletId } from '../../domain/ids.ts';
import * as auditLog from '../audit-log.ts';
import type { Db, Tx } from '../connection.ts';
import * as goodwill from '../goodwill.ts';
import * as waitingRows from '../imports/waiting.ts';
import { adjust } from '../ledger/adjusting.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';
import * as debts from '../payments/debts.ts';
import { freeze } from '../redemptions/freezing.ts';
import * as lifecycle from '../redemptions/lifecycle.ts';
import { find } from './contacts.ts';
import { addErased } from './erased-subjects.ts';
import { type Erasure, lockErasable, record } from './erasures.ts';
import { WITHDRAW_AND_EMPTY } from './invites.ts';
import { endAll } from './memberships.ts';
import { comparedEmail } from './spelling.ts';

// How a person is erased: the steps, each a transaction of its own that may be killed and run
// again, or run twice at once. Nobody may withdraw it once the first is done.

const REASON = 'erased';

/** What a step does, as the audit log names it. */
const by = auditLog.byOps;

/**
 * The first step: the person is suspended, which cancels their open codes, works at no till any
 * more, and no invite waits for them. Says whether the erasure goes on: not if it was withdrawn, or
 * if the person has another role by now; then it is withdrawn here, and they are told.
 */
export async function begin(tx: Tx, { id, userId, requestedBy }: Erasure): Promise<boolean> {
  const person = await lockErasable(tx, userId);
  const open = await tx('erasures').where({ id, withdrawnAt: null }).forUpdate().first('begunAt');
  if (open === undefined) return false;
  if (open.begunAt !== null) return true;
  const acting = by();
  if (!isErasable(person, requestedBy === null ? 'person' : 'admin')) {
    await tx('erasures').where({ id }).update({ withdrawnAt: tx.fn.now() });
    const what = { before: 'scheduled', status: 'withdrawn', because: 'not_erasable' };
    await record(tx, { userId, acting, reason: null }, what);
    return false;
  }
  await endAll(tx, userId, { role: 'consumer', by: acting });
  await tx.raw(
    `update users set role = 'consumer', status = 'suspended', status_before_suspension = null,
       erased_at = now(), updated_at = now()
     where id = :userId`,
    { userId },
  );
  await forgetInvites(tx, userId);
  await lifecycle.cancelOpen(tx, await listWallets(tx, userId));
  await tx('erasures').where({ id }).update({ begunAt: tx.fn.now() });
  return true;
}

/** Withdraws invites to the person that are open, and empties these and those of before. */
async function forgetInvites(tx: Tx, userId: UserId): Promise<void> {
  await tx.raw(
    `with address as (
       select ${comparedEmail('u')} as email from users u
       where u.id = :userId and u.email_verified
     ),
     gone as (
       delete from invite_mails m using address a where m.email = a.email
     ),
     -- What merchants' requests were answered, which name the address: also of who invited again.
     answers as (
       delete from idempotency_keys k using address a, invites i
       where ${comparedEmail('i')} = a.email
         and k.user_id in (
           select user_id from memberships where tenant_id = i.tenant_id union select i.invited_by)
         and k.path like '%/store-operator-invites' and position(i.id::text in k.body) > 0
     )
     update invites i set ${WITHDRAW_AND_EMPTY}
     where i.accepted_by = :userId
       or ${comparedEmail('i')} = (select email from address)`,
    { userId },
  );
}

/** What recognises a subject, and a contact of payments and imports, without storing them. */
export type Recognising = {
  proofs: Parameters<typeof addErased>[2];
  fingerprints(contact: string): readonly Buffer[];
};

/**
 * The second step: what says who the person is is forgotten, no import waits for them, and the
 * tokens of their subject are refused that were issued until now.
 */
export async function forget(
  tx: Tx,
  userId: UserId,
  { proofs, fingerprints }: Recognising,
): Promise<void> {
  const { iss, sub, bootstrappedAs } = await tx('users')
    .where({ id: userId })
    .forUpdate()
    .first<Subject>('iss', 'sub', 'bootstrappedAs');
  if (iss === ERASED_ISSUER) return;
  const [contacts] = await find(tx, [userId]);
  const verified = [contacts?.email, contacts?.phone].flatMap((contact) => contact ?? []);
  await waitingRows.dropOf(
    tx,
    verified.flatMap((contact) => [...fingerprints(contact)]),
  );
  await addErased(tx, { iss, sub }, proofs);
  const wallets = await listWallets(tx, userId);
  await tx('wallet_standings').whereIn('walletId', wallets).delete();
  await tx('expiry_notices').whereIn('walletId', wallets).delete();
  await tx('notice_choices').where({ userId }).delete();
  await tx('push_subscriptions').where({ userId }).delete();
  await tx('idempotency_keys').where({ userId }).delete();
  await tx('code_guesses').where({ userId }).delete();
  await tx('due_work').where({ kind: 'match_signup', subjectId: userId }).delete();
  await tx('users')
    .where({ id: userId })
    .update({
      iss: ERASED_ISSUER,
      sub: randomUUID(),
      ...NOBODY,
      // So that the address makes no administrator again.
      bootstrappedAs: bootstrappedAs && proofs(bootstrappedAs)[0].toString('hex'),
      memberRotations: [],
      dataExports: [],
      updatedAt: tx.fn.now(),
    });
}

type Subject = { iss: string; sub: string; bootstrappedAs: string | null };

/** The issuer of a row that is nobody's any more. No issuer of tokens is called so. */
const ERASED_ISSUER = 'erased';

const NOBODY = {
  name: null,
  language: null,
  email: null,
  emailVerified: false,
  emailVerifiedAt: null,
  emailProof: null,
  asciiEmail: null,
  phone: null,
  phoneVerified: false,
  phoneVerifiedAt: null,
  phoneProof: null,
  contactsIssuedAt: null,
  memberNumber: null,
};

/**
 * What says whose a person's payments are is forgotten. To be called once no transaction is open
 * that may still store one of theirs (`untilReadersEnd` of users).
 */
export async function forgetPayments(db: Db, userId: UserId): Promise<void> {
  await db.raw(FORGET_PAYMENTS, { userId });
}

/** No index is of payments by user alone: each tenant is asked. */
const FORGET_PAYMENTS = `
  update payments p
  set provider_customer_id = null, email_fingerprint = null, phone_fingerprint = null
  from tenants t cross join lateral (
    select id from payments
    where tenant_id = t.id and user_id = :userId and (provider_customer_id is not null
      or email_fingerprint is not null or phone_fingerprint is not null)
  ) its
  where p.id = its.id`;

/** Lists the wallets of a person that are not closed. */
export async function listWallets(db: Db, userId: UserId): Promise<WalletId[]> {
  const rows = await db('wallets')
    .where({ userId, closedAt: null })
    .orderBy('id')
    .select<{ id: WalletId }[]>('id');
  return rows.map(({ id }) => id);
}

/**
 * The third step, of each wallet: its codes and what is asked for it end, what it owes is written
 * off, its balance is debited as an adjustment, and it takes no entry any more. Returns the points
 * that were debited. To be called once no transaction is open that may still credit it
 * (`untilReadersEnd` of users).
 */
export async function closeWallet(tx: Tx, walletId: WalletId): Promise<number> {
  await lifecycle.endAll(tx, [walletId]);
  await goodwill.forget(tx, walletId);
  const wallet = await freeze(tx, walletId);
  const { closedAt, balance } = wallet;
  if (closedAt !== null) return 0;
  const issued = await tx('redemptions').where({ walletId, status: 'issued' }).first('id');
  if (issued !== undefined) throw new Error('A code was issued while its wallet was closed.');
  await debts.writeOff(tx, walletId);
  if (balance > 0) {
    const adjustment = { id: newId(), wallet, points: -balance };
    await adjust(tx, [adjustment], { acting: by(), reason: REASON });
  }
  // A night of tiers that was under way may have stored one again.
  await tx('wallet_standings').where({ walletId }).delete();
  await tx('wallets').where({ id: walletId }).update({ closedAt: tx.fn.now() });
  return balance;
}

/**
 * The fourth step: the bodies of events that report the person's payments are deleted, and how many
 * is returned. Reports of refunds may come later, so it is done again each day.
 */
export async function forgetBodies(db: Db, userId: UserId): Promise<number> {
  const { rows } = await db.raw<{ rows: { deleted: number }[] }>(
    'select forget_bodies_of_erased(:userId) as deleted',
    { userId },
  );
  return one(rows, 'number of bodies').deleted;
}

/** Records that an erasure is done, and how many wallets were closed. */
export async function finish(tx: Tx, { id, userId }: Erasure): Promise<void> {
  const done = await tx('erasures').where({ id, doneAt: null }).update({ doneAt: tx.fn.now() });
  if (done === 0) return;
  const closed = await tx('wallets').where({ userId }).select<{ id: WalletId }[]>('id');
  const what = { before: 'begun', status: 'erased', wallets: closed.length };
  await record(tx, { userId, acting: by(), reason: null }, what);
}
