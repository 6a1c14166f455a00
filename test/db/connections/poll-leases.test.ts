import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as pollLeases from '../../../db/connections/poll-leases.ts';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import * as dueWork from '../../../db/due-work.ts';
import { ConnectionId } from '../../../domain/ids.ts';
import { anAlphaEvent, required, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import {
  aLease,
  connectTo,
  minutesAgo,
  positionAt,
  useConnectionToLease,
} from '../../support/providers/leased-connection.ts';

const { db } = await useDatabase();
const shop = useConnectionToLease(db);
const { change, changePolls, polls, row } = shop;
const versionOf = async () => {
  const { rows } = await db.raw('select ctid::text from connection_polls where connection_id = ?', [
    shop.lease.connectionId,
  ]);
  return rows[0].ctid;
};
const end = (values: Partial<pollLeases.PollEnd> = {}) => ({
  error: null,
  isComplete: true,
  coveredPolls: 0,
  ...values,
});

describe('takeLease', () => {
  it('returns what a poll needs to know: it starts at the time of connecting', async () => {
    const taken = await pollLeases.takeLease(db, shop.lease, 'run');
    const { watermark } = await polls();
    expect(taken).toEqual({
      connection: expect.objectContaining({ id: shop.lease.connectionId, tenantId: shop.tenantId }),
      earnsFrom: expect.any(Date),
      watermark,
      polledFrom: watermark,
      lastPolledAt: null,
      coveredPolls: 0,
      now: expect.any(Date),
    });
  });

  it('busy while another run has it, and free once that run has released it', async () => {
    await pollLeases.takeLease(db, shop.lease, 'run');
    const next = aLease(shop.lease.connectionId);
    expect(await pollLeases.takeLease(db, next, 'next')).toBe('busy');
    await pollLeases.releaseLease(db, shop.lease, end());
    expect(await pollLeases.takeLease(db, next, 'next')).toMatchObject({
      connection: { tenantId: shop.tenantId },
    });
  });

  it('gives the lease to one of ten concurrent calls', async () => {
    const takes = Array.from({ length: 10 }, (_, n) =>
      pollLeases.takeLease(db, aLease(shop.lease.connectionId), `run ${n}`),
    );
    const taken = (await Promise.all(takes)).filter((each) => each !== 'busy');
    expect(taken).toHaveLength(1);
  });

  it('free again when it has expired, and then lost to its former holder', async () => {
    await pollLeases.takeLease(db, shop.lease, 'run');
    await changePolls({ leasedUntil: db.raw(`now() - interval '1 millisecond'`) });
    await pollLeases.takeLease(db, aLease(shop.lease.connectionId), 'next');
    expect(await pollLeases.renewLease(db, shop.lease)).toBeUndefined();
    expect(await pollPositions.save(db, shop.lease, positionAt(1, minutesAgo(1)))).toBe(false);
    await pollLeases.releaseLease(db, shop.lease, end({ error: 'of no concern any more' }));
    expect(await polls()).toMatchObject({ leaseRun: 'next', lastPolledAt: null });
    expect((await row()).lastError).toBeNull();
  });

  it('gone when the merchant has disconnected, and for a connection not to alpha', async () => {
    await change({ status: 'disconnected' });
    expect(await pollLeases.takeLease(db, shop.lease, 'run')).toBe('gone');
    await change({ status: 'active', provider: 'beta' });
    expect(await pollLeases.takeLease(db, shop.lease, 'run')).toBe('gone');
    const unknown = aLease(ConnectionId.parse(randomUUID()));
    expect(await pollLeases.takeLease(db, unknown, 'run')).toBe('gone');
  });
});

describe('renewLease', () => {
  it('returns the connection with its current tokens, and the database’s time', async () => {
    await pollLeases.takeLease(db, shop.lease, 'run');
    await changePolls({ leasedUntil: db.raw(`now() + interval '44 seconds'`) });
    await change({ sealedAccessToken: 'refreshed meanwhile' });
    const { connection, now } = required(await pollLeases.renewLease(db, shop.lease));
    expect(connection).toMatchObject({
      tenantId: shop.tenantId,
      sealedAccessToken: 'refreshed meanwhile',
    });
    expect((await polls()).leasedUntil.getTime() - now.getTime()).toBe(60_000);
  });

  it('writes nothing while less than a quarter of the lease has passed', async () => {
    await pollLeases.takeLease(db, shop.lease, 'run');
    const before = await versionOf();
    expect(await pollLeases.renewLease(db, shop.lease)).toMatchObject({
      connection: { tenantId: shop.tenantId },
    });
    expect(await versionOf()).toBe(before);
  });

  it('undefined when the merchant has disconnected or reconnected', async () => {
    await pollLeases.takeLease(db, shop.lease, 'run');
    await change({ status: 'disconnected' });
    expect(await pollLeases.renewLease(db, shop.lease)).toBeUndefined();
    await connectTo(db, shop.tenantId);
    expect(await pollLeases.renewLease(db, shop.lease)).toBeUndefined();
    const taken = await pollLeases.takeLease(db, shop.lease, 'run');
    expect(taken).toMatchObject({ connection: { tenantId: shop.tenantId } });
  });
});

describe('releaseLease', () => {
  it('records an error, clears it for null, and keeps it for undefined', async () => {
    for (const [error, noted] of [
      ['alpha answered 503.', 'alpha answered 503.'],
      [undefined, 'alpha answered 503.'],
      [null, null],
    ] as const) {
      await pollLeases.takeLease(db, shop.lease, 'run');
      await pollLeases.releaseLease(db, shop.lease, end({ error }));
      expect((await row()).lastError).toBe(noted);
      expect((await polls()).leaseHolder).toBeNull();
    }
  });

  it('keeps the error that says that the merchant must reconnect', async () => {
    await pollLeases.takeLease(db, shop.lease, 'run');
    await change({ lastError: 'Connect again.', needsReconnectSince: new Date() });
    await pollLeases.releaseLease(db, shop.lease, end({ error: 'alpha answered 503.' }));
    expect((await row()).lastError).toBe('Connect again.');
  });
});

describe('covered polls', () => {
  const release = async (coveredPolls: number) => {
    await pollLeases.takeLease(db, shop.lease, 'run');
    await pollLeases.releaseLease(db, shop.lease, end({ coveredPolls }));
  };
  const changed = async () => {
    const due = await dueWork.take(db, 'update_poll_schedule', 1_000);
    await dueWork.finish(db, 'update_poll_schedule', due);
    return due.map(({ id }) => id).filter((id) => id === shop.lease.connectionId);
  };

  it('are kept, and make a change of the Schedule due where its interval changes', async () => {
    await changed();
    const due: number[] = [];
    for (const coveredPolls of [1, 2, 3, 3, 0, 0, 3, 26, 27, 27, 0]) {
      await release(coveredPolls);
      expect((await polls()).coveredPolls).toBe(coveredPolls);
      due.push((await changed()).length);
    }
    expect(due).toEqual([0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
  });

  it('start again when the provider was away', async () => {
    await release(3);
    await changed();
    await pollLeases.forgetCoverage(db, shop.lease.connectionId);
    expect((await polls()).coveredPolls).toBe(0);
    expect(await changed()).toHaveLength(1);
    await pollLeases.forgetCoverage(db, shop.lease.connectionId);
    expect(await changed()).toHaveLength(0);
  });
});

describe('hasEventSince', () => {
  it('is true for a webhook of alpha since then', async () => {
    const since = minutesAgo(5);
    const merchantId = `M-${randomUUID()}`;
    await db('pos_connections').where({ tenantId: shop.tenantId }).update({ merchantId });
    await db.raw('insert into last_events values (:tenantId, :provider, :since)', {
      tenantId: shop.tenantId,
      provider: 'beta',
      since: minutesAgo(0),
    });
    const account = { tenantId: shop.tenantId, provider: 'alpha' } as const;
    expect(await pollLeases.hasEventSince(db, account, since)).toBe(false);
    await storedEvents(db, merchantId, [anAlphaEvent(merchantId)]);
    expect(await pollLeases.hasEventSince(db, account, since)).toBe(true);
    expect(await pollLeases.hasEventSince(db, account, minutesAgo(-5))).toBe(false);
  });
});
