import { type Explained, nodesOf, type Plan } from './explain.ts';

/** What a statement may touch. */
export type Bounds = {
  /** Rows that its limit, or the number of its keys, lets it touch in one table. */
  rows: number;
  /** Rows that it may skip, because they are few whatever the size of the table; 0 by default. */
  skipped?: number;
  /** Tables that it reads whole on purpose. */
  scans?: readonly string[];
  /** Indexes that it must not read, because their work grows with the table. */
  unused?: readonly string[];
  /** The ends of the names of the partitions that it may look into; all by default. */
  partitions?: readonly string[];
};

const PARTITION = /^(?:webhook_bodies|event_outcomes)_(\w+)$/;

/** Each row may be looked up by several indexes of a few levels. */
const BLOCKS_PER_ROW = 25;
const FIXED_BLOCKS = 150;
/** How often a statement may reach the rows that it touches. */
const TIMES = 4;

/** Names what in a plan would grow with the tables. */
export function findingsIn({ sql, plan }: Explained, bounds: Bounds): string[] {
  const { rows, skipped = 0 } = bounds;
  const found = nodesOf(plan).flatMap((node) =>
    findingsOf(node, rows * TIMES + 10 + skipped, bounds),
  );
  const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  const mostBlocks = FIXED_BLOCKS + BLOCKS_PER_ROW * (rows * TIMES + skipped);
  if (blocks > mostBlocks) found.push(`reads ${blocks} blocks, not ${mostBlocks}`);
  return found.map((finding) => `${finding}: ${sql.replace(/\s+/g, ' ').slice(0, 120)}`);
}

function findingsOf(node: Plan, most: number, bounds: Bounds): string[] {
  const { scans = [], unused = [], partitions } = bounds;
  const found: string[] = [];
  const table = node['Relation Name'];
  const where = [node['Node Type'], table, node['Index Name']].filter(Boolean).join(' ');
  const loops = node['Actual Loops'];
  const [, partition] = table?.match(PARTITION) ?? [];
  if (node['Node Type'] === 'Seq Scan' && !scans.includes(table ?? ''))
    found.push(`scans ${table}`);
  // Those that were ruled out before the first row are not in the plan.
  if (partition !== undefined && partitions?.includes(partition) === false)
    found.push(`does not rule ${table} out`);
  const index = node['Index Name'] ?? '';
  if (loops > 0 && unused.includes(index)) found.push(`reads ${index}`);
  const removed =
    loops *
    (node['Rows Removed by Filter'] +
      node['Rows Removed by Index Recheck'] +
      node['Rows Removed by Join Filter']);
  if (removed > most) found.push(`${where} removes ${removed}`);
  if (/Sort$/.test(node['Node Type'])) {
    const sorted = node.Plans.reduce((sum, { 'Actual Rows': each }) => sum + each, 0) * loops;
    if (sorted > most) found.push(`sorts ${sorted}`);
  }
  return found;
}
