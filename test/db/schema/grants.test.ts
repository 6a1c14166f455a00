import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../db/connection.ts';
import { grantToService, roleOf } from '../../../db/schema/grants.ts';
import { migrate } from '../../../db/schema/migrate.ts';
import { OWNER, SERVICE } from '../../../sandbox/postgres/roles.ts';
import {
  asSuperuser,
  createEmptyDatabase,
  createTestDatabase,
  createUnverifiedDatabase,
  type TestDatabase,
} from '../../support/database/test-database.ts';
import { aRule, aTenant, aUser, aWallet } from '../../support/factories.ts';

const REFUSED = { code: '42501' };

describe('the service', () => {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = database.db;
    const tenantId = await aTenant(db);
    await aRule(db, tenantId);
    await aWallet(db, { tenantId, balance: 10 });
    await db('audit_log').insert({
      actorUserId: await aUser(db, { role: 'admin' }),
      action: 'user.approve',
      targetType: 'user',
      targetId: randomUUID(),
      before: {},
      after: {},
      requestId: 'test',
    });
  });
  afterAll(() => database.close());

  it('logs in as a role of its own', async () => {
    const { rows } = await db.raw('select current_user as role');
    expect(rows).toEqual([{ role: SERVICE }]);
  });

  it.each([
    'update ledger_entries set points = points + 1',
    'update ledger_entries set points = 1 where false',
    'delete from ledger_entries',
    'truncate ledger_entries cascade',
    'update audit_log set reason = null',
    'delete from audit_log',
    'truncate audit_log',
    'update reward_rules set version = 9',
    'delete from reward_rules',
    'truncate reward_rules',
    'delete from redemptions',
    'delete from payments',
    'delete from wallets',
    'delete from users',
    'delete from tenants',
    'delete from account_tenures',
    'truncate rate_limits',
    'update knex_migrations set name = name',
    'delete from knex_migrations_lock',
  ])('is refused: %s', async (statement) => {
    await expect(db.raw(statement)).rejects.toMatchObject(REFUSED);
  });

  it.each([
    'create table mine (id integer)',
    'create function mine() returns integer language sql as $$ select 1 $$',
    'create schema mine',
    'create extension pgcrypto',
    'drop table audit_log',
    'alter table ledger_entries disable trigger ledger_entries_append_only',
    'alter table ledger_entries disable trigger all',
    'drop trigger ledger_entries_append_only on ledger_entries',
    'alter table wallets drop constraint wallets_balance_not_negative',
    'alter table users add column mine text',
    'create index mine on users (name)',
    'create or replace function refuse_change() returns trigger language plpgsql ' +
      'as $$ begin return new; end $$',
    'alter function refuse_change() rename to allow_change',
    "set session_replication_role = 'replica'",
    `set role ${OWNER}`,
    `alter default privileges for role ${OWNER} grant update on tables to ${SERVICE}`,
    'comment on table ledger_entries is null',
  ])('cannot change the schema: %s', async (statement) => {
    await expect(db.raw(statement)).rejects.toMatchObject(REFUSED);
  });

  it('cannot grant itself more privileges', async () => {
    const before = await rightsOn(db, 'ledger_entries');
    // Postgres only warns about this.
    await db.raw(`grant update on ledger_entries to ${SERVICE}`);
    expect(await rightsOn(db, 'ledger_entries')).toEqual(before);
  });

  it('may read and insert everywhere, and change only rows that are not final', async () => {
    const { rows } = await db.raw<{ rows: { name: string; rights: string[] }[] }>(
      `select c.relname as name, array(
         select p from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) p
         where has_table_privilege(c.oid, p)) as rights
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and not c.relispartition`,
    );
    const rights = Object.fromEntries(rows.map((row) => [row.name, row.rights.join()]));
    const added = 'select,insert';
    const changed = 'select,insert,update';
    expect(rights).toMatchObject({
      ledger_entries: added,
      audit_log: added,
      reward_rules: added,
      programme_versions: added,
      point_expiries: added,
      campaign_awards: added,
      webhook_bodies: added,
      event_outcomes: added,
      ledger_statements: added,
      users: changed,
      tenants: changed,
      wallets: changed,
      payments: changed,
      account_tenures: changed,
      campaigns: changed,
      rewards: changed,
      imports: changed,
      goodwill_requests: changed,
      redemptions: changed,
      installation: 'select',
      knex_migrations: 'select',
      knex_migrations_lock: 'select',
    });
    const others = Object.entries(rights).filter(
      ([name]) =>
        !/^(ledger_entries|audit_log|reward_rules|users|tenants|wallets|payments)$/.test(name) &&
        !/^(account_tenures|programme_versions|point_expiries)$/.test(name) &&
        !/^(campaigns|campaign_awards|rewards|imports|goodwill_requests)$/.test(name) &&
        !/^(redemptions|webhook_bodies|event_outcomes|ledger_statements)$/.test(name) &&
        !/^(installation|knex_migrations(_lock)?)$/.test(name),
    );
    expect(others.map(([name]) => name)).toContain('rate_limits');
    expect(new Set(others.map(([, held]) => held))).toEqual(new Set([`${changed},delete`]));
  });
});

async function rightsOn(db: Db, table: string): Promise<unknown> {
  const { rows } = await db.raw(
    `select relacl::text as rights, relowner, relhastriggers from pg_class where relname = :table`,
    { table },
  );
  return rows;
}

describe('grantToService', () => {
  let database: TestDatabase;
  let owner: Db;
  const role = `service_${randomUUID().replaceAll('-', '')}`;
  beforeEach(async () => {
    database = await createUnverifiedDatabase();
    owner = database.owner;
    await asSuperuser((db) => db.raw(`create role ${role}`));
  });
  afterEach(async () => {
    await database.close();
    await asSuperuser((db) => db.raw(`drop role ${role}`));
  });

  const grant = (to = role) => owner.transaction((tx) => grantToService(tx, to));
  const may = async (privilege: string, table: string): Promise<boolean> => {
    const { rows } = await owner.raw<{ rows: { may: boolean }[] }>(
      'select has_table_privilege(:role::name, :table, :privilege) as may',
      { role, table, privilege },
    );
    return rows[0]?.may ?? false;
  };

  it('covers tables of later migrations, since it is part of migrating', async () => {
    await grant();
    await owner.raw(`create table later (id integer);
      create table final (id integer);
      create trigger final_stays before update or delete or truncate on final
        for each statement execute function refuse_change();`);
    expect(await may('insert', 'later')).toBe(false);

    await migrate(owner, { serviceRole: role });
    expect(await may('delete', 'later')).toBe(true);
    expect(await may('truncate', 'later')).toBe(false);
    expect(await may('insert', 'final')).toBe(true);
    expect(await may('update', 'final')).toBe(false);
    expect(await may('delete', 'final')).toBe(false);
  });

  it('takes temporary tables from everybody, as they can fill the disk', async () => {
    const mayCreateTemporary = async () => {
      const { rows } = await owner.raw<{ rows: { may: boolean }[] }>(
        `select has_database_privilege(:role::name, current_database(), 'temporary') as may`,
        { role },
      );
      return rows[0]?.may;
    };
    expect(await mayCreateTemporary()).toBe(true);
    await grant();
    expect(await mayCreateTemporary()).toBe(false);
    await grant();
    expect(await mayCreateTemporary()).toBe(false);
  });

  it('changes nothing when run again, and revokes what was granted by hand', async () => {
    await grant();
    const first = await rightsOn(owner, 'ledger_entries');
    await owner.raw(`grant update, truncate on ledger_entries to ${role};
      grant create on schema public to ${role}`);
    await grant();
    expect(await rightsOn(owner, 'ledger_entries')).toEqual(first);
    expect(await may('update', 'ledger_entries')).toBe(false);
  });

  it('has the same result when several migrations run at once', async () => {
    const runs = [1, 2, 3].map(() => migrate(owner, { serviceRole: role }));
    expect(await Promise.all(runs)).toEqual([[], [], []]);
    expect(await may('select', 'wallets')).toBe(true);
  });

  it('says how to create a missing role, and leaves nothing half done', async () => {
    await expect(grant('nobody_there')).rejects.toThrow('create role "nobody_there" login');
    const empty = await createEmptyDatabase();
    await expect(migrate(empty.owner, { serviceRole: 'nobody_there' })).rejects.toThrow('nobody');
    expect(await migrate(empty.owner)).not.toEqual([]);
    await empty.close();
  });

  it('refuses a role that has more privileges from elsewhere', async () => {
    await owner.raw('grant update on ledger_entries to public');
    await expect(grant()).rejects.toThrow('it can update ledger_entries');
    await owner.raw('revoke update on ledger_entries from public');
    await owner.raw('grant create on schema public to public');
    await expect(grant()).rejects.toThrow('it can create objects in the schema public');
    await owner.raw('revoke create on schema public from public');
    await asSuperuser((db) => db.raw(`grant ${OWNER} to ${role}`));
    await expect(grant()).rejects.toThrow(`it can become ${OWNER}`);
    await asSuperuser((db) => db.raw(`revoke ${OWNER} from ${role}; alter role ${role} superuser`));
    await expect(grant()).rejects.toThrow('it is a superuser');
    await asSuperuser((db) => db.raw(`alter role ${role} nosuperuser`));
    await grant();
  });
});

describe('roleOf', () => {
  it.each([
    ['postgres://ann:pw@db:5432/loyalty', 'ann'],
    ['postgres://a%40b:pw@db/loyalty', 'a@b'],
    ['postgres://ann@db/loyalty?user=bob', 'bob'],
    ['postgres://db/loyalty', undefined],
  ])('reads from %s the role %s', (url, role) => {
    expect(roleOf(url)).toBe(role);
  });
});
