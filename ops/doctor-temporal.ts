import type { NativeConnection } from '@temporalio/worker';
import type { Db } from '../db/connection.ts';
import { countPolled } from '../db/connections/poll-positions.ts';
import { type Check, type Finding, NotKnown } from '../gateways/checks/check.ts';
import { createLogger } from '../gateways/telemetry/logger.ts';
import { connectTemporal, installTemporalRuntime } from '../gateways/temporal/connection.ts';
import type { TemporalPlace } from '../gateways/temporal/settings.ts';
import { withinMs } from '../gateways/timing.ts';
import { findLacking } from '../worker/search-attributes.ts';

const CONNECT_WITHIN_MS = 8_000;
/** How many runs of Schedules a namespace starts a second, unless its cluster is told otherwise. */
const DEFAULT_STARTS = 30;
/** The shortest interval of polls that is usual. */
const POLL_SECONDS = 300;

/** Connects to Temporal, makes the checks that are given the connection's, and closes it. */
export async function withTemporal(
  place: TemporalPlace,
  db: Db,
  check: (checks: Check[]) => Promise<Finding[]>,
): Promise<Finding[]> {
  installTemporalRuntime(createLogger({ level: 'silent', service: 'ops' }));
  const connecting = connectTemporal(place.connection);
  // Whoever needs it learns why it failed.
  connecting.catch(() => undefined);
  try {
    return await check(checksOf(place, db, connecting));
  } finally {
    await withinMs(connecting, 1_000).then(
      (connection) => connection.close(),
      () => undefined,
    );
  }
}

function checksOf(place: TemporalPlace, db: Db, connecting: Promise<NativeConnection>): Check[] {
  const { namespace, connection: at } = place;
  const message = `${at.address} does not answer`;
  const connected = () => withinMs(connecting, CONNECT_WITHIN_MS, { message });
  const described = async () => {
    const connection = await connected();
    await connection.workflowService.describeNamespace({ namespace });
    return connection;
  };
  return [
    {
      name: 'Temporal',
      todo: 'Check TEMPORAL_ADDRESS, TEMPORAL_TLS, its key and certificates, TEMPORAL_NAMESPACE.',
      async look() {
        await described();
        return `${at.address} has the namespace ${namespace}`;
      },
    },
    {
      name: 'search attributes',
      todo: 'Run deploy/temporal/create-namespace.sh.',
      async look() {
        const connection = await described().catch(() => undefined);
        if (connection === undefined) throw new NotKnown('Temporal has to answer first');
        const lacking = await findLacking(connection, namespace);
        if (lacking instanceof Error) throw new NotKnown('the cluster does not let us ask');
        if (lacking !== undefined) throw new Error(lacking);
        return 'are all there';
      },
    },
    {
      name: 'starts of polls',
      todo:
        'Raise worker.schedulerNamespaceStartWorkflowRPS, as deploy/temporal/dynamicconfig.yaml ' +
        'does; at a hosted cluster ask for it.',
      async look() {
        const polled = await countPolled(db).catch(() => undefined);
        if (polled === undefined) throw new NotKnown('the database has to answer first');
        const needed = Math.ceil(polled / POLL_SECONDS);
        const text = `${polled} polled accounts need ${needed} a second`;
        if (needed <= DEFAULT_STARTS) return `${text}, and any cluster does ${DEFAULT_STARTS}`;
        throw new NotKnown(
          `${text}, more than the ${DEFAULT_STARTS} of a cluster that was not told`,
        );
      },
    },
  ];
}
