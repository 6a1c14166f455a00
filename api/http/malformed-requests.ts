import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import type { ErrorEnvelope } from './errors.ts';

type Answer = { status: number; message: string };

const NOT_HTTP: Answer = { status: 400, message: 'The request is not well-formed HTTP.' };

/** By the codes of Node's errors. */
const ANSWERS: ReadonlyMap<unknown, Answer> = new Map([
  ['HPE_HEADER_OVERFLOW', { status: 431, message: 'The headers are too large.' }],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    { status: 413, message: 'The chunk extensions are too large.' },
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, message: 'The request did not arrive in time.' }],
]);

/**
 * Answers what cannot be read as HTTP, and so never comes to the app, in the envelope of every other
 * error; then the connection is closed. A response that has begun is cut off instead.
 */
export function answerMalformed(server: Server): void {
  const running = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => running.set(request.socket, response));
  server.on('clientError', (error, socket) => {
    const response = running.get(socket);
    const hasBegun = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || hasBegun) socket.destroy(error);
    else socket.end(answerTo(error), () => socket.destroy());
  });
}

function answerTo(error: Error): string {
  const { status, message } = ('code' in error && ANSWERS.get(error.code)) || NOT_HTTP;
  const requestId = randomUUID();
  const envelope: z.infer<typeof ErrorEnvelope> = { code: 'VALIDATION_ERROR', message, requestId };
  const body = JSON.stringify(envelope);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Correlation-Id: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}
