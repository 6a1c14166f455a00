import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../sandbox/processes/ports.ts';
import type { Testbed } from './testbed.ts';

/** Starts a mail server that accepts every mail and keeps none. Returns its address. */
export async function startDiscardingMailServer(
  testbed: Pick<Testbed, 'onClose'>,
): Promise<string> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, _, callback) {
      stream.resume();
      stream.once('end', () => callback());
    },
  });
  server.on('error', () => undefined);
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  testbed.onClose(() => new Promise((resolve) => server.close(() => resolve())));
  return `smtp://127.0.0.1:${port}`;
}
