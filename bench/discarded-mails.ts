import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../sandbox/processes/ports.ts';
import type { Stage } from './stage.ts';

/** A mail server that takes every mail and keeps none; gives its address. */
export async function discardMails(stage: Stage): Promise<string> {
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
  stage.atEnd(() => new Promise((resolve) => server.close(() => resolve())));
  return `smtp://127.0.0.1:${port}`;
}
