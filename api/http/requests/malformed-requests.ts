import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import type { ErrorEnvelope } from '../replies/errors.ts';

type MalformedReply = { status: number; message: string };

const NOT_HTTP: MalformedReply = {
  status: 400,
  message: 'The request is not well-formed HTTP. Correct it and send it again.',
};

const LARGE_HEADERS: MalformedReply = {
  status: 431,
  message: 'The headers are too large. Shorten them.',
};

/** Keyed by the codes of Node's errors. */
const REPLIES: ReadonlyMap<unknown, MalformedReply> = new Map([
  ['HPE_HEADER_OVERFLOW', LARGE_HEADERS],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    { status: 413, message: 'The chunk extensions are too large. Send none.' },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: 408, message: 'The request did not arrive in time. Send it again.' },
  ],
]);

/**
 * Responds to requests that cannot be parsed as HTTP, and so never reach the app, with the same
 * envelope as any other error, then closes the connection. A response that has begun is cut off
 * instead.
 */
export function answerMalformed(server: Server): void {
  const running = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => running.set(request.socket, response));
  server.on('clientError', (error, socket) => {
    const response = running.get(socket);
    const hasBegun = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || hasBegun) socket.destroy(error);
    else socket.end(renderResponse(error), () => socket.destroy());
  });
}

/** Responds to a request with too many headers as to one whose headers are too large. */
export function refuseHeaders(response: ServerResponse): void {
  const { headers, body } = contentOf(LARGE_HEADERS);
  response.writeHead(LARGE_HEADERS.status, headers).end(body);
}

function renderResponse(error: Error): string {
  const reply = ('code' in error && REPLIES.get(error.code)) || NOT_HTTP;
  const { headers, body } = contentOf(reply);
  return [
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}

function contentOf({ message }: MalformedReply) {
  const requestId = randomUUID();
  const envelope: z.infer<typeof ErrorEnvelope> = { code: 'VALIDATION_ERROR', message, requestId };
  const body = JSON.stringify(envelope);
  const headers = {
    Connection: 'close',
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Correlation-Id': requestId,
  };
  return { headers, body };
}
