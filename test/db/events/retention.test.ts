import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { purgeBodies } from '../../../db/events/retention.ts';
import { required, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const { db } = await useDatabase();

it('deletes bodies older than 90 days, oldest first, and nothing else', async () => {
  const merchantId = `M-${randomUUID()}`;
  for (const days of [91, 92, 89]) {
    const [id] = await storedEvents(db, merchantId, [Buffer.from(`${days} days old`)]);
    const receivedAt = db.raw('now() - make_interval(days => ?)', [days]);
    await db('webhook_events')
      .where({ id: required(id) })
      .update({ receivedAt });
  }
  const bodies = async () => {
    const rows = await db('webhook_events').where({ merchantId }).orderBy('receivedAt', 'desc');
    return rows.map((row) => row.body.toString());
  };

  expect(await purgeBodies(db, 1)).toBe(1);
  expect(await bodies()).toEqual(['89 days old', '91 days old', '']);
  expect(await purgeBodies(db, 10)).toBe(1);
  expect(await purgeBodies(db, 10)).toBe(0);
  expect(await bodies()).toEqual(['89 days old', '', '']);
});
