import { setTimeout as sleep } from 'node:timers/promises';
import { machineMs } from './clock.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';
import { type Delivered, LoadCommand } from './load.ts';
import { Plan, requestOf, saleAt } from './sales.ts';

/** The process that sends webhooks: an order comes as a message, its outcome goes back as one. */
process.on('message', (message) => {
  void execute(LoadCommand.parse(message)).then((delivered) => process.send?.(delivered));
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
    requestOf(saleAt(plan, index)),
  );
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const delivered: Delivered = {
    acknowledged: 0,
    refused: 0,
    startedAt: machineMs(),
    endedAt: 0,
    latencies: [],
    sentAt: [],
  };
  if (pace.kind === 'rate') await sendAtRate(open, requests, pace.perSecond, delivered);
  else {
    const isRepeated = pace.kind === 'repeat';
    const seconds = isRepeated ? pace.seconds : Number.POSITIVE_INFINITY;
    await sendAtOnce(open, requests, { isRepeated, seconds }, delivered);
  }
  delivered.endedAt = machineMs();
  for (const connection of open) connection.close();
  return delivered;
}

async function sendAtOnce(
  open: readonly HttpConnection[],
  requests: readonly Buffer[],
  { isRepeated, seconds }: { isRepeated: boolean; seconds: number },
  delivered: Delivered,
): Promise<void> {
  const deadline = machineMs() + seconds * 1000;
  let next = 0;
  const work = async (connection: HttpConnection) => {
    while (machineMs() < deadline) {
      const request = requests[isRepeated ? next++ % requests.length : next++];
      if (request === undefined) return;
      await sendOne(connection, request, delivered);
    }
  };
  await Promise.all(open.map(work));
}

async function sendAtRate(
  open: readonly HttpConnection[],
  requests: readonly Buffer[],
  perSecond: number,
  delivered: Delivered,
): Promise<void> {
  // In turn, since a server closes a connection on which no request ever comes.
  const idle = [...open];
  const answers: Promise<void>[] = [];
  for (let sent = 0; sent < requests.length; ) {
    const due = Math.floor(((machineMs() - delivered.startedAt) / 1000) * perSecond) + 1;
    for (; sent < Math.min(due, requests.length); sent++) {
      const request = requests[sent];
      const connection = idle.shift();
      if (request === undefined || connection === undefined) break;
      delivered.sentAt.push(machineMs());
      answers.push(sendOne(connection, request, delivered).then(() => void idle.push(connection)));
    }
    await sleep(1);
  }
  await Promise.all(answers);
}

async function sendOne(
  connection: HttpConnection,
  request: Buffer,
  delivered: Delivered,
): Promise<void> {
  const sentAt = machineMs();
  const status = await connection.send(request);
  delivered.latencies.push(machineMs() - sentAt);
  if (status === 200) delivered.acknowledged++;
  else delivered.refused++;
}
