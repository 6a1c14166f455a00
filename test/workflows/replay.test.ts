import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { workflowBundle } from '../../worker/bundle.ts';
import * as workflows from '../../workflows/index.ts';
import {
  changedHistories,
  listHistories,
  readHistory,
  recordHistory,
} from '../support/temporal/histories.ts';
import { quietRuntime } from '../support/temporal/test-temporal.ts';

const WORKFLOWS = new URL('../../workflows/', import.meta.url);

/** The events that end a run. */
const ENDINGS = [
  'workflowExecutionCompletedEventAttributes',
  'workflowExecutionFailedEventAttributes',
  'workflowExecutionTimedOutEventAttributes',
  'workflowExecutionCanceledEventAttributes',
  'workflowExecutionTerminatedEventAttributes',
  'workflowExecutionContinuedAsNewEventAttributes',
] as const;

const histories = listHistories().map((file) => {
  const history = historyFromJSON(readHistory(file));
  const events = history.events ?? [];
  const started = events[0]?.workflowExecutionStartedEventAttributes;
  const last = events.at(-1);
  return {
    file,
    history,
    type: started?.workflowType?.name ?? '',
    isContinued: last?.workflowExecutionContinuedAsNewEventAttributes != null,
    continues: Boolean(started?.continuedExecutionRunId),
    isOpen: !ENDINGS.some((ending) => last?.[ending] != null),
  };
});

// As a worker of the service has them.
let bundle: Pick<WorkerOptions, 'workflowBundle'>;
beforeAll(async () => {
  quietRuntime();
  bundle = await workflowBundle();
});

// While a release records its own, they are not complete; replay-open-runs has those of today.
describe.skipIf(process.env.RECORD_HISTORIES)('recorded histories', () => {
  /** What replaying each history has found. One worker replays all of them. */
  const errors = new Map<string, Error | undefined>();
  beforeAll(async () => {
    const all = histories.map(({ file, history }) => ({ workflowId: file, history }));
    for await (const { workflowId, error } of Worker.runReplayHistories(bundle, all)) {
      errors.set(workflowId, error);
    }
  });

  it.each(histories)('replay still takes the steps of $file', ({ file }) => {
    expect(errors.has(file)).toBe(true);
    expect(errors.get(file)).toBeUndefined();
  });

  const typesOf = (some: typeof histories) => [...new Set(some.map(({ type }) => type))].sort();

  it('there are closed and open runs of every workflow', () => {
    const all = Object.keys(workflows).sort();
    expect(typesOf(histories.filter(({ isOpen }) => !isOpen))).toEqual(all);
    expect(typesOf(histories.filter(({ isOpen }) => isOpen))).toEqual(all);
  });

  it('there are both parts of every workflow that continues as new', () => {
    const sources = readdirSync(WORKFLOWS).map((file) =>
      readFileSync(new URL(file, WORKFLOWS), 'utf8'),
    );
    const continued = sources
      .flatMap((text) => [...text.matchAll(/continueWithCurrentRelease<typeof (\w+)>/g)])
      .flatMap(([, name]) => name ?? [])
      .sort();
    expect(continued.length).toBeGreaterThan(1);
    expect(typesOf(histories.filter(({ isContinued }) => isContinued))).toEqual(continued);
    expect(typesOf(histories.filter(({ continues }) => continues))).toEqual(continued);
  });
});

describe('the files of histories', () => {
  const folder = mkdtempSync(join(tmpdir(), 'histories-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are those that were recorded, unchanged', () => {
    expect(changedHistories()).toEqual([]);
  });

  it('are added per release, and never recorded again', () => {
    const to = pathToFileURL(`${folder}/`);
    mkdirSync(folder, { recursive: true });
    const long = JSON.stringify({ text: 'x'.repeat(300_000), identity: 'somewhere' });
    recordHistory({ release: '1.0.0', name: 'plain' }, '{"identity": "here"}', to);
    recordHistory({ release: '1.1.0-rc.1', name: 'plain' }, long, to);
    expect(listHistories(to)).toEqual(['1.0.0/plain.json', '1.1.0-rc.1/plain.json.gz']);
    expect(readHistory('1.0.0/plain.json', to)).toEqual({ identity: 'recorder' });
    expect(readHistory('1.1.0-rc.1/plain.json.gz', to)).toMatchObject({ identity: 'recorder' });
    expect(() => recordHistory({ release: '1.0.0', name: 'plain' }, '{}', to)).toThrow('EEXIST');
    expect(() => recordHistory({ release: '1', name: 'plain' }, '{}', to)).toThrow('must name');
    expect(changedHistories(to)).toEqual([]);

    writeFileSync(new URL('1.0.0/plain.json', to), '{}');
    writeFileSync(new URL('1.0.0/other.json', to), '{}');
    rmSync(new URL('1.1.0-rc.1/plain.json.gz', to));
    expect(changedHistories(to)).toEqual([
      '1.0.0/other.json is not in the list',
      '1.0.0/plain.json was changed',
      '1.1.0-rc.1/plain.json.gz is gone',
    ]);
  });
});

describe('the bundle', () => {
  it('has only modules without state, since all runs share them', () => {
    const stateful = /^(export )?(let|var) |^(export )?const \w+ = new (Weak)?(Map|Set)\b/m;
    const files = readdirSync(WORKFLOWS).filter((file) => file.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(10);
    expect(
      files.filter((file) => stateful.test(readFileSync(new URL(file, WORKFLOWS), 'utf8'))),
    ).toEqual([]);
  });

  it('contains no database driver, no schema library and no framework', () => {
    for (const stranger of ['/node_modules/pg/', '/node_modules/knex/', '/node_modules/zod/']) {
      expect(codeOf(bundle)).not.toContain(stranger);
    }
  });
});

function codeOf({ workflowBundle: made }: typeof bundle): string {
  if (made === undefined) throw new Error('There is no bundle.');
  return 'code' in made ? made.code : readFileSync(made.codePath, 'utf8');
}
