import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { bundleWorkflowCode, Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUNDLE_OPTIONS } from '../../worker/bundle.ts';
import * as workflows from '../../workflows/index.ts';
import { HISTORIES, quietRuntime } from '../support/temporal.ts';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

const histories = readdirSync(HISTORIES)
  .filter((file) => file.endsWith('.json'))
  .map((file) => {
    const json: unknown = JSON.parse(readFileSync(new URL(file, HISTORIES), 'utf8'));
    return { file, history: historyFromJSON(json) };
  });

let workflowBundle: WorkflowBundleWithSourceMap;
beforeAll(async () => {
  quietRuntime();
  workflowBundle = await bundleWorkflowCode({ ...BUNDLE_OPTIONS, logger });
});

describe('recorded histories', () => {
  it.each(histories)('replay still takes the steps of $file', async ({ history }) => {
    await Worker.runReplayHistory({ workflowBundle }, history);
  });

  it('there is a history of every workflow', () => {
    const types = histories.map(
      ({ history }) =>
        history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
    );
    expect([...new Set(types)].sort()).toEqual(Object.keys(workflows).sort());
  });

  it('replay fails for a workflow that takes different steps', async () => {
    const changed = await bundleWorkflowCode({
      workflowsPath: pathOf('fixtures/changed-workflows.ts'),
      logger,
    });
    const plain = histories.find(({ file }) => file === 'ingest-events.plain.json');
    await expect(
      Worker.runReplayHistory({ workflowBundle: changed }, plain?.history),
    ).rejects.toThrow(/Nondeterminism|TMPRL1100/);
  });
});

describe('the bundle', () => {
  it('has only modules without state, since all runs share them', () => {
    const folder = new URL('../../workflows/', import.meta.url);
    const stateful = /^(export )?(let|var) |^(export )?const \w+ = new (Weak)?(Map|Set)\b/m;
    const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(10);
    expect(
      files.filter((file) => stateful.test(readFileSync(new URL(file, folder), 'utf8'))),
    ).toEqual([]);
  });

  it('contains no database driver, no schema library and no framework', () => {
    for (const stranger of ['/node_modules/pg/', '/node_modules/knex/', '/node_modules/zod/']) {
      expect(workflowBundle.code).not.toContain(stranger);
    }
  });
});
