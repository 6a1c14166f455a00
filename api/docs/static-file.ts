import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Reply, reply } from '../http/replies/reply.ts';

const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Below this, the headers are most of an answer. */
const WORTH_COMPRESSING_BYTES = 1024;
/** A megabyte takes a quarter of a second, once, on a thread of its own. */
const BROTLI_QUALITY = 9;

const compress: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: promisify(gzip),
};

export type ServeFile = (request: { headers: IncomingHttpHeaders }) => Promise<Reply<Buffer>>;

/**
 * Serves bytes that never change while the process runs, compressed as the caller accepts. Each
 * encoding is made once, when it is first asked for, and kept. Only what holds no secret and does
 * not depend on the request may be served so.
 */
export function serveFile(type: string, content: Buffer): ServeFile {
  const digest = createHash('sha256').update(content).digest('base64url');
  const made = new Map<Encoding, Promise<Buffer>>();
  const encoded = (encoding: Encoding) => {
    const known = made.get(encoding) ?? compress[encoding](content);
    made.set(encoding, known);
    return known;
  };
  return async ({ headers }) => {
    const isSmall = content.length < WORTH_COMPRESSING_BYTES;
    const encoding = isSmall ? undefined : preferredEncoding(headers['accept-encoding']);
    return reply({
      body: encoding === undefined ? content : await encoded(encoding),
      headers: {
        'Content-Type': type,
        'Cache-Control': 'no-cache',
        // Each encoding is a representation of its own.
        ETag: `"${digest}${encoding === undefined ? '' : `-${encoding}`}"`,
        Vary: 'Origin, Accept-Encoding',
        ...(encoding !== undefined && { 'Content-Encoding': encoding }),
      },
    });
  };
}

/** Returns the encoding to use for an `Accept-Encoding` header; undefined for none. */
export function preferredEncoding(accepted = ''): Encoding | undefined {
  const weights = new Map(accepted.toLowerCase().split(',').map(weightOf));
  const weigh = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const acceptable = ENCODINGS.filter((encoding) => weigh(encoding) > 0);
  return acceptable.sort((one, other) => weigh(other) - weigh(one))[0];
}

function weightOf(item: string): [name: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, weight === undefined ? 1 : Number(weight.slice(2))];
}
