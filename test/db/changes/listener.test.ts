import { afterEach, describe, expect, it } from 'vitest';
import { announce, lostAnnouncements } from '../../../db/changes/announce.ts';
import { type ChangeListener, listenForChanges } from '../../../db/changes/listener.ts';
import { connect } from '../../../db/connection.ts';
import { newId } from '../../../db/new-id.ts';
import { TenantId, UserId } from '../../../domain/ids.ts';
import { freePort } from '../../../sandbox/processes/ports.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;
const SOON = { timeout: 10_000, interval: 10 };

const aUserId = () => UserId.parse(newId());

let listener: ChangeListener | undefined;
afterEach(async () => {
  await listener?.close();
  listener = undefined;
});

async function listen(url = database.url) {
  const heard = { userIds: [] as UserId[], shopIds: [] as TenantId[], connected: 0, lost: 0 };
  let payloads = 0;
  listener = listenForChanges({
    at: { url },
    onChanged({ userIds, shopIds }) {
      payloads++;
      heard.userIds.push(...userIds);
      heard.shopIds.push(...shopIds);
    },
    onConnected: () => heard.connected++,
    onLost: () => heard.lost++,
  });
  return { heard, payloads: () => payloads };
}

const sessions = async () => {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>(
    `select pid from pg_stat_activity
     where application_name = 'loyalty-api-listener' and datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
};

describe('listenForChanges', () => {
  it('hears what is announced, in a single session', async () => {
    const { heard } = await listen();
    await expect.poll(() => heard.connected, SOON).toBe(1);
    const [userId, shopId] = [aUserId(), TenantId.parse(newId())];
    announce(db, { userIds: [userId], shopIds: [shopId] });
    await expect.poll(() => heard.userIds, SOON).toEqual([userId]);
    expect(heard.shopIds).toEqual([shopId]);
    expect(await sessions()).toHaveLength(1);
    await listener?.close();
    await expect.poll(sessions, SOON).toEqual([]);
  });

  it('opens another session when its own is terminated, and says so', async () => {
    const { heard } = await listen();
    await expect.poll(() => heard.connected, SOON).toBe(1);
    const [pid] = await sessions();
    await db.raw('select pg_terminate_backend(:pid)', { pid: pid ?? 0 });
    await expect.poll(() => heard.connected, SOON).toBe(2);
    expect(heard.lost).toBe(1);
    const userId = aUserId();
    announce(db, { userIds: [userId] });
    await expect.poll(() => heard.userIds, SOON).toEqual([userId]);
    expect(await sessions()).toHaveLength(1);
  });

  it('goes on trying while there is no server, and can be closed then', async () => {
    const { heard } = await listen(`postgres://127.0.0.1:${await freePort()}/none`);
    await expect.poll(() => heard.lost, SOON).toBeGreaterThan(2);
    expect(listener?.isConnected()).toBe(false);
    await listener?.close();
  });
});

describe('announce', () => {
  it('announces together what changes at about the same time, each once', async () => {
    const { heard, payloads } = await listen();
    await expect.poll(() => heard.connected, SOON).toBe(1);
    const userIds = Array.from({ length: 500 }, aUserId);
    for (const userId of [...userIds, ...userIds]) announce(db, { userIds: [userId] });
    await expect.poll(() => heard.userIds.length, SOON).toBe(500);
    expect(new Set(heard.userIds)).toEqual(new Set(userIds));
    // The first alone, and the others together.
    expect(payloads()).toBeLessThanOrEqual(4);
  });

  it('does nothing in a transaction, whose commit would take a lock of the cluster', async () => {
    const { heard } = await listen();
    await expect.poll(() => heard.connected, SOON).toBe(1);
    await db.transaction(async (tx) => announce(tx, { userIds: [aUserId()] }));
    const after = aUserId();
    announce(db, { userIds: [after] });
    await expect.poll(() => heard.userIds, SOON).toEqual([after]);
  });

  it('counts what it could not announce, and throws nothing', async () => {
    const away = connect(`postgres://127.0.0.1:${await freePort()}/none`, 1, 'loyalty-test-away');
    announce(away, { userIds: [aUserId(), aUserId()] });
    await expect.poll(() => lostAnnouncements(away), SOON).toBe(2);
    await away.destroy();
  });
});
