import { connect, type Socket } from 'node:net';

const NEXT_BYTE_MS = 5_000;

export type SlowSenders = {
  /** Begins a request whose body comes byte by byte. */
  begin(path: string, length: number | 'chunked'): void;
  /** Begins to read an answer, and stops at once. */
  read(path: string): void;
  stop(): void;
};

/** Callers at one address who never come to an end, until they are stopped. */
export function createSlowSenders(port: number, address: string): SlowSenders {
  const sockets = new Map<Socket, string>();
  const timer = setInterval(() => {
    for (const [socket, byte] of sockets) if (byte !== '') socket.write(byte);
  }, NEXT_BYTE_MS);
  const start = (head: string, byte: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`${head}\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n`);
    sockets.set(socket, byte);
    return socket;
  };
  return {
    begin(path, length) {
      const isChunked = length === 'chunked';
      const socket = start(`POST ${path} HTTP/1.1`, isChunked ? '1\r\n \r\n' : ' ').resume();
      const size = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
      socket.write(`${size}\r\n\r\n${isChunked ? '1\r\n{\r\n' : '{'}`);
    },
    read: (path) => void start(`GET ${path} HTTP/1.1`, '').pause().write('\r\n'),
    stop() {
      clearInterval(timer);
      for (const socket of sockets.keys()) socket.destroy();
      sockets.clear();
    },
  };
}
