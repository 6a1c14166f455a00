import { machineMs } from './clock.ts';
import { ConfirmLoadCommand, type ConfirmLoadResult } from './confirm-load.ts';
import { openConnection } from './http-connection.ts';

/** The process that confirms: each message is a command, and is answered with its result. */
process.on('message', (message) => {
  void execute(ConfirmLoadCommand.parse(message)).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());

async function execute({
  port,
  requests,
  concurrency,
  seconds,
}: ConfirmLoadCommand): Promise<ConfirmLoadResult> {
  const bytes = requests.map((request) => Buffer.from(request, 'utf8'));
  const open = await Promise.all(Array.from({ length: concurrency }, () => openConnection(port)));
  const result: ConfirmLoadResult = { refused: 0, seconds: 0, latencies: [] };
  const startedAt = machineMs();
  let next = 0;
  await Promise.all(
    open.map(async (connection) => {
      while (machineMs() - startedAt < seconds * 1000) {
        const request = bytes[next++ % bytes.length];
        if (request === undefined) return;
        const sentAt = machineMs();
        const status = await connection.send(request);
        result.latencies.push(machineMs() - sentAt);
        if (status !== 200) result.refused++;
      }
    }),
  );
  result.seconds = (machineMs() - startedAt) / 1000;
  for (const connection of open) connection.close();
  return result;
}
