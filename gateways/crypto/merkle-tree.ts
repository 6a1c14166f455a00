import { createHash } from 'node:crypto';

// The Merkle tree of RFC 6962, section 2.1, and RFC 9162, section 2.1.3: SHA-256, with a first byte
// that tells leaves from nodes, so that no node can be passed for a leaf.

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** The hash of a leaf. */
export function leafHash(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(LEAF).update(data).digest();
}

/** The root over hashes of leaves; that of no leaves is the hash of nothing. */
export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest();
  return rootOf(leaves, 0, leaves.length);
}

/**
 * The hashes that lead from a leaf to the root, the leaf's neighbour first. Throws when there is no
 * such leaf.
 */
export function inclusionPath(leaves: readonly Buffer[], index: number): Buffer[] {
  if (!Number.isInteger(index) || index < 0 || index >= leaves.length) {
    throw new Error(`The tree has ${leaves.length} leaves and none at ${index}.`);
  }
  const path: Buffer[] = [];
  let [from, until] = [0, leaves.length];
  while (until - from > 1) {
    const middle = from + leftSize(until - from);
    const isLeft = index < middle;
    path.unshift(isLeft ? rootOf(leaves, middle, until) : rootOf(leaves, from, middle));
    if (isLeft) until = middle;
    else from = middle;
  }
  return path;
}

export type Inclusion = { index: number; size: number; path: readonly Buffer[] };

/**
 * The root to which a path leads from the hash of a leaf (RFC 9162, section 2.1.3.2); undefined
 * when the path does not fit the index and the size of the tree.
 */
export function rootFromPath(leaf: Buffer, { index, size, path }: Inclusion): Buffer | undefined {
  if (!Number.isInteger(index) || index < 0 || index >= size) return undefined;
  let [node, last, root] = [index, size - 1, leaf];
  for (const other of path) {
    if (last === 0) return undefined;
    if (node % 2 === 1 || node === last) {
      root = nodeHash(other, root);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      root = nodeHash(root, other);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? root : undefined;
}

function rootOf(leaves: readonly Buffer[], from: number, until: number): Buffer {
  const [only] = until - from === 1 ? leaves.slice(from, until) : [];
  if (only !== undefined) return only;
  const middle = from + leftSize(until - from);
  return nodeHash(rootOf(leaves, from, middle), rootOf(leaves, middle, until));
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

/** The largest power of two below a size. */
function leftSize(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

const half = (number: number) => Math.floor(number / 2);
