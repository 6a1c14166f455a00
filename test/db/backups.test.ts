import { expect, it } from 'vitest';
import { readBackupAges } from '../../db/backups.ts';
import { useDatabase } from '../support/fixtures.ts';

const { db } = await useDatabase();
const HOUR = 3600;
const tell = (kind: string, hours: number) =>
  db.raw('select record_backup(:kind, now() - make_interval(hours => :hours))', { kind, hours });

it('reads how old the backups are, which are all expected from the first word on', async () => {
  expect(await readBackupAges(db)).toBeNull();
  await tell('log', 3);
  const hours = async () => {
    const ages = Object.entries((await readBackupAges(db)) ?? {});
    return Object.fromEntries(ages.map(([kind, seconds]) => [kind, Math.floor(seconds / HOUR)]));
  };
  expect(await hours()).toEqual({ log: 3, copy: 3, check: 3 });
  await tell('copy', 2);
  await tell('log', 1);
  await tell('maintain', 0);
  expect(await hours()).toEqual({ log: 1, copy: 2, check: 3 });
});
