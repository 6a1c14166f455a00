import {
  type Command,
  describeTable,
  parseLimit,
  requireNoArguments,
  UsageError,
} from './command.ts';
import type { Replay } from './replay-runs.ts';

const DEFAULT_LIMIT = 200;

export const replay: Command = {
  usage: 'replay [--workflow TYPE] [--limit N]',
  options: ['workflow', 'limit'],
  summary: 'Replays the newest open and closed runs of each workflow with the code at hand',
  async run({ args, options, temporal }) {
    requireNoArguments(args);
    const limit = parseLimit(options, DEFAULT_LIMIT);
    // Imported here, because no other command needs Temporal's SDK, which takes long to load.
    const { replayNamespace, WORKFLOW_TYPES } = await import('./replay-runs.ts');
    const { workflow } = options;
    if (workflow !== undefined && !WORKFLOW_TYPES.includes(workflow)) {
      throw new UsageError(`--workflow must be one of ${WORKFLOW_TYPES.join(', ')}.`);
    }
    const data = await replayNamespace(temporal(), { workflow, limit });
    return { data, text: describe(data), failed: data.failures.length > 0 };
  },
};

function describe({ types, failures }: Replay): string {
  const heading = ['WORKFLOW', 'OPEN', 'CLOSED', 'FAILED', 'OPEN, NOT REPLAYED'];
  const rows = types.map((type) => [
    type.workflow,
    type.open,
    type.closed,
    type.failed,
    type.openLeft,
  ]);
  const table = describeTable(heading, rows);
  if (failures.length === 0) return table;
  const failed = failures.map(({ workflow, workflowId, runId, isOpen, reason }) => [
    workflow,
    workflowId,
    runId,
    isOpen ? 'open' : 'closed',
    reason,
  ]);
  return `${table}\n${describeTable(['FAILED', 'ID', 'RUN', 'STATE', 'REASON'], failed)}`;
}
