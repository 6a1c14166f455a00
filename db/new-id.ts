import { randomInt } from 'node:crypto';
import { V7Generator } from 'uuidv7';

/** Node keeps some random bytes in store. The library by itself would ask for a few at a time. */
const generator = new V7Generator({ nextUint32: () => randomInt(2 ** 32) });

/**
 * Makes the id of a new row: a UUID of version 7 (RFC 9562). Those of one process ascend, and those
 * of several do so by their clocks, so that an index grows at its end and rows are found in the
 * order in which they were made. An id is no secret: it tells when it was made.
 */
export function newId(): string {
  return generator.generate().toString();
}

/** Makes ids for that many rows, in their order. */
export function newIds(count: number): string[] {
  return Array.from({ length: count }, newId);
}
