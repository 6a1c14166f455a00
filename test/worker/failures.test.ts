import {
  ApplicationFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
} from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { TooSoon } from '../../activities/too-soon.ts';
import { ERROR_CODES, Refusal } from '../../domain/errors.ts';
import {
  quotedValuesAreRemoved,
  refusalsAreFinal,
  waitsAreNoFailures,
} from '../../worker/failures.ts';

/** Runs an activity as the worker does. */
function run<T>(activity: () => Promise<T>): Promise<T> {
  const inbound = [quotedValuesAreRemoved, refusalsAreFinal, waitsAreNoFailures];
  const interceptors = inbound.map((each) => () => ({ inbound: each }));
  const logger = new DefaultLogger('ERROR', () => {});
  return new MockActivityEnvironment({}, { interceptors, logger }).run(activity);
}

const failureOf = (activity: () => Promise<unknown>): Promise<unknown> =>
  run(activity).catch((error: unknown) => error);

describe('refusalsAreFinal', () => {
  it.each(ERROR_CODES)(
    'a refusal %s is not retried, and keeps its code and message',
    async (code) => {
      const failure = await failureOf(async () => {
        throw new Refusal(code, 'That will not do.');
      });
      expect(failure).toBeInstanceOf(ApplicationFailure);
      expect(failure).toMatchObject({
        nonRetryable: true,
        type: code,
        message: 'That will not do.',
      });
    },
  );

  it('any other error passes unchanged, to be retried', async () => {
    const error = new TypeError('a bug');
    expect(
      await failureOf(async () => {
        throw error;
      }),
    ).toBe(error);
  });

  it('a result passes unchanged', async () => {
    const answer = { points: 1 };
    expect(await run(async () => answer)).toBe(answer);
  });
});

describe('quotedValuesAreRemoved', () => {
  const ofPostgres = (code: string, message: string) =>
    Object.assign(new Error(message), { name: 'error', code, detail: 'Row (ada@example.com).' });

  it('a value that Postgres quotes stays out of the history', async () => {
    const error = ofPostgres('22P02', 'insert … - invalid input syntax: "ada@example.com"');
    const failure = await failureOf(async () => {
      throw error;
    });
    expect(failure).toMatchObject({
      nonRetryable: false,
      type: 'error',
      message: 'Postgres refused it: 22P02',
      stack: expect.stringContaining('failures.test.ts'),
    });
    expect(
      JSON.stringify(
        new DefaultFailureConverter().errorToFailure(failure, defaultPayloadConverter),
      ),
    ).not.toContain('ada@example.com');
  });

  it('any other error of Postgres passes unchanged, with the name of the constraint', async () => {
    const error = ofPostgres('23514', 'new row violates check constraint "positive"');
    expect(
      await failureOf(async () => {
        throw error;
      }),
    ).toBe(error);
  });
});

describe('waitsAreNoFailures', () => {
  it('what has to wait is tried again after that time, and is no failure', async () => {
    const failure = await failureOf(async () => {
      throw new TooSoon('Not yet.', 1_500);
    });
    expect(failure).toMatchObject({
      type: 'TooSoon',
      message: 'Not yet.',
      nonRetryable: false,
      nextRetryDelay: 1_500,
      category: 'BENIGN',
    });
  });
});
