import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { connect } from '../../db/connection.ts';
import { Refusal } from '../../domain/errors.ts';
import { ProviderError } from '../../gateways/providers/shared/error.ts';
import { bugsAreReported, refusalsAreFinal } from '../../worker/failures.ts';

type Reported = { error: unknown; tags: Readonly<Record<string, string>> };

/** Runs a failing activity as the worker does, and returns its reports. */
async function reportsOf(failure: unknown, attempt = 1): Promise<Reported[]> {
  const reported: Reported[] = [];
  const reporter = {
    report: (error: unknown, tags: Reported['tags']) => reported.push({ error, tags }),
  };
  const interceptors = [
    () => ({ inbound: refusalsAreFinal }),
    () => ({ inbound: bugsAreReported({ report: (...args) => void reporter.report(...args) }) }),
  ];
  const workflowExecution = { workflowId: 'ingest/alpha/1', runId: 'run' };
  const info = { attempt, activityType: 'ingestEvents', workflowExecution };
  const environment = new MockActivityEnvironment(info, {
    interceptors,
    logger: new DefaultLogger('ERROR'),
  });
  await expect(environment.run(() => Promise.reject(failure))).rejects.toThrow();
  return reported;
}

/** The error of the driver when nothing listens at its address. */
async function unreachable(): Promise<unknown> {
  const db = connect('postgres://127.0.0.1:9/none', 1, 'loyalty-test-nowhere');
  const error = await Promise.resolve(db.select(1)).catch((reason: unknown) => reason);
  await db.destroy();
  return error;
}

describe('an activity that fails', () => {
  it('is reported with its activity and run when it fails by a bug', async () => {
    const bug = new TypeError('a bug');
    expect(await reportsOf(bug)).toEqual([
      {
        error: bug,
        tags: { activity: 'ingestEvents', workflow: 'ingest/alpha/1', requestId: 'none' },
      },
    ]);
  });

  it.each([
    ['a refusal', new Refusal('FORBIDDEN', 'No.')],
    ['a decision to fail', ApplicationFailure.nonRetryable('No.')],
    ['a cancellation', new CancelledFailure('The worker stops.')],
    ['an abort', new DOMException('Aborted', 'AbortError')],
    ['an outage of a provider', new ProviderError('It is down.', 503)],
    ['a refusal of a provider', new ProviderError('It refuses.', 401)],
    ['a deadlock', Object.assign(new Error('deadlock detected'), { code: '40P01' })],
  ])('is not reported when the failure is expected: %s', async (_, failure) => {
    expect(await reportsOf(failure)).toEqual([]);
  });

  it('is not reported while Postgres is unreachable', async () => {
    expect(await reportsOf(await unreachable())).toEqual([]);
  });

  it('is reported at fewer and fewer of its attempts', async () => {
    const reported = [];
    for (let attempt = 1; attempt <= 100; attempt++) {
      if ((await reportsOf(new Error('a bug'), attempt)).length > 0) reported.push(attempt);
    }
    expect(reported).toEqual([1, 2, 4, 8, 16, 32, 64]);
  });
});
