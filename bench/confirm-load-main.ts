import { machineMs } from './clock.ts';
import { ConfirmLoadCommand, type ConfirmLoadResult } from './confirm-load.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';
import { atRate } from './pacing.ts';

/** The process that confirms: each message is a command, and is answered with its result. */
process.on('message', (message) => {
  void execute(ConfirmLoadCommand.parse(message)).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());

async function execute(command: ConfirmLoadCommand): Promise<ConfirmLoadResult> {
  const { port, requests, concurrency, seconds, perSecond } = command;
  const bytes = requests.map((request) => Buffer.from(request, 'utf8'));
  const open = await Promise.all(Array.from({ length: concurrency }, () => openConnection(port)));
  const result: ConfirmLoadResult = { refused: 0, seconds: 0, latencies: [] };
  const startedAt = machineMs();
  const sendOne = async (connection: HttpConnection, request: Buffer) => {
    const sentAt = machineMs();
    const status = await connection.send(request);
    result.latencies.push(machineMs() - sentAt);
    if (status !== 200) result.refused++;
  };
  if (perSecond === undefined) {
    let next = 0;
    const work = async (connection: HttpConnection) => {
      while (machineMs() - startedAt < seconds * 1000) {
        const request = bytes[next++ % bytes.length];
        if (request !== undefined) await sendOne(connection, request);
      }
    };
    await Promise.all(open.map(work));
  } else {
    const due = Array.from({ length: perSecond * seconds }, (_, nth) => nth % bytes.length);
    const sent = due.flatMap((nth) => bytes[nth] ?? []);
    await atRate(open, sent, perSecond, sendOne);
  }
  result.seconds = (machineMs() - startedAt) / 1000;
  for (const connection of open) connection.close();
  return result;
}
