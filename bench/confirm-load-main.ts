import { machineMs } from './clock.ts';
import { type Answered, Requests } from './confirm-load.ts';
import { openConnection } from './http-connection.ts';

/** The process that asks: requests come as a message, what became of them goes back as one. */
process.on('message', (message) => {
  void execute(Requests.parse(message)).then((answered) => process.send?.(answered));
});
process.once('disconnect', () => process.exit());

async function execute({ port, requests, atOnce, seconds }: Requests): Promise<Answered> {
  const bytes = requests.map((request) => Buffer.from(request, 'utf8'));
  const open = await Promise.all(Array.from({ length: atOnce }, () => openConnection(port)));
  const answered: Answered = { refused: 0, seconds: 0, latencies: [] };
  const startedAt = machineMs();
  let next = 0;
  await Promise.all(
    open.map(async (connection) => {
      while (machineMs() - startedAt < seconds * 1000) {
        const request = bytes[next++ % bytes.length];
        if (request === undefined) return;
        const sentAt = machineMs();
        const status = await connection.send(request);
        answered.latencies.push(machineMs() - sentAt);
        if (status !== 200) answered.refused++;
      }
    }),
  );
  answered.seconds = (machineMs() - startedAt) / 1000;
  for (const connection of open) connection.close();
  return answered;
}
