import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { DICTIONARY } from './body-dictionary.ts';

// The bodies of a provider's events are nearly all alike, and each is written to the log of the
// database, to its table and to its backups. So a body is stored as raw DEFLATE (RFC 1951) with a
// preset dictionary: a fifth of its length. `encoding` says how it is stored; null is as received.

/** The encoding that is written. A later dictionary gets a number of its own; this one stays. */
const DEFLATED = 1;
/** Longer bodies are stored as received: Postgres compresses those itself. */
const LONGEST_DEFLATED = 16_384;
/** As little work as there is: what repeats is in the dictionary, which fits into the window. */
const DEFLATING = { level: 1, memLevel: 4, windowBits: 12, dictionary: DICTIONARY } as const;
/** The least that the deflater accepts, in bytes. */
const SMALLEST_CHUNK = 64;
/** Most bodies fit into one chunk. */
const INFLATING = {
  chunkSize: 2_048,
  dictionary: DICTIONARY,
  maxOutputLength: LONGEST_DEFLATED,
} as const;

export type StoredBody = { body: Buffer; encoding: number | null };

/** Returns a body as it is stored: what `readBody` returns for it is the same, byte by byte. */
export function storedBody(body: Buffer): StoredBody {
  if (body.length > LONGEST_DEFLATED) return { body, encoding: null };
  // By default 16 KiB are allocated for each: to free those took longer than to deflate.
  const chunkSize = Math.max(body.length, SMALLEST_CHUNK);
  const deflated = deflateRawSync(body, { ...DEFLATING, chunkSize });
  return deflated.length < body.length
    ? { body: deflated, encoding: DEFLATED }
    : { body, encoding: null };
}

/** Returns a stored body as it was received. Throws for an encoding that it does not know. */
export function readBody({ body, encoding }: StoredBody): Buffer {
  if (encoding === null) return body;
  if (encoding !== DEFLATED) {
    throw new Error(
      `A stored body has the encoding ${encoding}, which a newer release writes. Run that release.`,
    );
  }
  return inflateRawSync(body, INFLATING);
}
