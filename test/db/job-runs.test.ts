import { expect, it } from 'vitest';
import * as jobRuns from '../../db/job-runs.ts';
import { readServiceMetrics } from '../../db/service-metrics.ts';
import { useDatabase } from '../support/fixtures.ts';

const { db } = await useDatabase();
const age = async () => (await readServiceMetrics(db)).maintenanceSeconds;
const anHourPasses = () =>
  db('job_runs').update({ completedAt: db.raw(`completed_at - interval '1 hour'`) });

it('a job is watched from when it is first expected, and then by its last run', async () => {
  expect(await age()).toBeNull();
  await jobRuns.expectFromNow(db, 'maintain');
  expect(await age()).toBeLessThan(60);
  await anHourPasses();
  await jobRuns.expectFromNow(db, 'maintain');
  expect(await age()).toBeGreaterThan(3_599);
  await jobRuns.recordCompleted(db, 'maintain');
  expect(await age()).toBeLessThan(60);
});
