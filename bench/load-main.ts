import { machineMs } from './clock.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';
import { LoadCommand, type LoadResult } from './load.ts';
import { atRate } from './pacing.ts';
import { buildRequest, Plan, saleAt } from './sales.ts';

/** The process that sends webhooks: each message is a command, and is answered with its result. */
process.on('message', (message) => {
  void execute(LoadCommand.parse(message)).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());

async function execute({
  port,
  plan: input,
  connections,
  pace,
}: ReturnType<typeof LoadCommand.parse>) {
  const plan = Plan.parse(input);
  const requests = Array.from({ length: plan.events }, (_, index) =>
    buildRequest(saleAt(plan, index)),
  );
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const result: LoadResult = {
    acknowledged: 0,
    refused: 0,
    startedAt: machineMs(),
    endedAt: 0,
    latencies: [],
    sentAt: [],
  };
  if (pace.kind === 'rate') {
    await atRate(open, requests, pace.perSecond, (connection, request) => {
      result.sentAt.push(machineMs());
      return sendOne(connection, request, result);
    });
  } else {
    const isRepeated = pace.kind === 'repeat';
    const seconds = isRepeated ? pace.seconds : Number.POSITIVE_INFINITY;
    await sendAsFastAsAcknowledged(open, requests, { isRepeated, seconds }, result);
  }
  result.endedAt = machineMs();
  for (const connection of open) connection.close();
  return result;
}

async function sendAsFastAsAcknowledged(
  open: readonly HttpConnection[],
  requests: readonly Buffer[],
  { isRepeated, seconds }: { isRepeated: boolean; seconds: number },
  result: LoadResult,
): Promise<void> {
  const deadline = machineMs() + seconds * 1000;
  let next = 0;
  const work = async (connection: HttpConnection) => {
    while (machineMs() < deadline) {
      const request = requests[isRepeated ? next++ % requests.length : next++];
      if (request === undefined) return;
      await sendOne(connection, request, result);
    }
  };
  await Promise.all(open.map(work));
}

async function sendOne(
  connection: HttpConnection,
  request: Buffer,
  result: LoadResult,
): Promise<void> {
  const sentAt = machineMs();
  const status = await connection.send(request);
  result.latencies.push(machineMs() - sentAt);
  if (status === 200) result.acknowledged++;
  else result.refused++;
}
