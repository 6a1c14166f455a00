import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { machineMs } from './clock.ts';
import { type Arrivals, ReceiverCommand } from './delivery-receiver.ts';

// The process that receives events. Each message is a command, and is answered.

/** Checking every signature would cost the machine as much as making them. */
const CHECK_EVERY = 20;

let secrets: Record<string, string> = {};
let hanging = new Set<string>();
let arrivals: Arrivals = { first: {}, repeated: 0, checked: 0, refused: 0 };
let requests = 0;

process.on('message', (message) => {
  const command = ReceiverCommand.parse(message);
  if (command.kind === 'report') return process.send?.(arrivals);
  secrets = command.secrets;
  hanging = new Set(command.hanging);
  requests = 0;
  arrivals = { first: {}, repeated: 0, checked: 0, refused: 0 };
  return process.send?.({});
});
process.once('disconnect', () => process.exit());

const [port] = process.argv.slice(2);
createServer((request, response) => void receive(request, response)).listen(
  Number(port),
  '127.0.0.1',
);

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  const id = String(request.headers['webhook-id']);
  const at = machineMs();
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  if (hanging.has(path)) return;
  arrivals.first[path] ??= {};
  const taken = arrivals.first[path];
  if (taken[id] === undefined) taken[id] = at;
  else arrivals.repeated++;
  if (requests++ % CHECK_EVERY === 0) check(path, Buffer.concat(parts), request);
  response.end();
}

function check(path: string, body: Buffer, { headers }: IncomingMessage): void {
  arrivals.checked++;
  const sent = ['id', 'timestamp', 'signature'].map((name) => `webhook-${name}`);
  const signed = Object.fromEntries(sent.map((name) => [name, String(headers[name])]));
  try {
    new Webhook(secrets[path] ?? '').verify(body, signed);
  } catch {
    arrivals.refused++;
  }
}
