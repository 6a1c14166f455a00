import { once } from 'node:events';
import { connect } from 'node:net';

/** A keep-alive connection that carries one request at a time. */
export type HttpConnection = {
  /** Writes a complete request. Resolves to the status once the complete reply has arrived. */
  send(request: Buffer): Promise<number>;
  close(): void;
};

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Connects to a server on this machine. The client does as little as possible, so that on two cores
 * the server is what is measured: it understands only replies with a Content-Length. Where the
 * server has closed the connection, or has said that it will, the next request opens another.
 */
export async function openConnection(port: number): Promise<HttpConnection> {
  let current = await openSocket(port);
  return {
    async send(request) {
      if (current.isOver()) {
        current.close();
        current = await openSocket(port);
      }
      return current.send(request);
    },
    close: () => current.close(),
  };
}

async function openSocket(port: number) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  let received: Buffer = Buffer.alloc(0);
  let waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;
  let isOver = false;

  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const reply = readReply(received);
    if (reply === undefined) return;
    received = received.subarray(reply.length);
    isOver ||= reply.isLast;
    waiting?.resolve(reply.status);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => {
    isOver = true;
    waiting?.reject(new Error('The server closed the connection.'));
  });

  return {
    isOver: () => isOver,
    send: (request: Buffer) =>
      new Promise<number>((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

type Reply = { status: number; length: number; isLast: boolean };

/** Returns the status and the length of the first reply, or undefined while it is incomplete. */
function readReply(bytes: Buffer): Reply | undefined {
  const headLength = bytes.indexOf(HEAD_END);
  if (headLength === -1) return undefined;
  const head = bytes.toString('latin1', 0, headLength);
  const at = head.search(/content-length:/i);
  if (at === -1) throw new Error(`A reply has no Content-Length:\n${head}`);
  const length = headLength + HEAD_END.length + Number.parseInt(head.slice(at + 15), 10);
  // 'HTTP/1.1 200 OK'
  if (bytes.length < length) return undefined;
  const isLast = head.includes('Connection: close');
  return { status: Number(head.slice(9, 12)), length, isLast };
}
