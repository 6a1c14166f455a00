import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  inclusionPath,
  leafHash,
  merkleRoot,
  rootFromPath,
} from '../../../gateways/crypto/merkle-tree.ts';
import { required } from '../../support/factories.ts';

/** The leaves and roots with which logs of Certificate Transparency are tested. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => leafHash(Buffer.from(hex, 'hex')));
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const PATH_OF_FIRST = [
  '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
  '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
  '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
];

const hexOf = (hash: Buffer | undefined) => hash?.toString('hex');
const SIZES = Array.from({ length: 40 }, (_, index) => index + 1);
const leavesOf = (size: number) =>
  Array.from({ length: size }, (_, index) => leafHash(`leaf ${index}`));

describe('merkleRoot', () => {
  it.each(ROOTS.map((root, size) => ({ root, size })))(
    'is that of RFC 6962 for $size leaves',
    ({ root, size }) => {
      expect(hexOf(merkleRoot(LEAVES.slice(0, size)))).toBe(root);
    },
  );

  it('is another one when two leaves change places', () => {
    const [one, other, ...rest] = LEAVES;
    expect(merkleRoot([required(other), required(one), ...rest])).not.toEqual(merkleRoot(LEAVES));
  });
});

describe('inclusionPath', () => {
  it('is that of RFC 6962', () => {
    expect(inclusionPath(LEAVES, 0).map(hexOf)).toEqual(PATH_OF_FIRST);
    expect(inclusionPath(LEAVES.slice(0, 1), 0)).toEqual([]);
  });

  it.each(SIZES)('leads every leaf of %i to the root', (size) => {
    const leaves = leavesOf(size);
    const root = merkleRoot(leaves);
    for (const [index, leaf] of leaves.entries()) {
      const path = inclusionPath(leaves, index);
      expect(rootFromPath(leaf, { index, size, path })).toEqual(root);
    }
  });

  it.each([-1, 8, 0.5])('throws for leaf %d of 8', (index) => {
    expect(() => inclusionPath(LEAVES, index)).toThrow('The tree has 8 leaves');
  });
});

describe('rootFromPath', () => {
  const aProof = fc.integer({ min: 1, max: 40 }).chain((size) =>
    fc.record({
      size: fc.constant(size),
      index: fc.nat({ max: size - 1 }),
      byte: fc.nat(),
      bit: fc.nat({ max: 7 }),
    }),
  );

  it('is another root when a bit of the leaf or of the path changes', () => {
    fc.assert(
      fc.property(aProof, ({ size, index, byte, bit }) => {
        const leaves = leavesOf(size);
        const hashes = [required(leaves[index]), ...inclusionPath(leaves, index)];
        const bytes = Buffer.concat(hashes);
        const at = byte % bytes.length;
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
        const [leaf, ...path] = hashes.map((_, nth) => bytes.subarray(32 * nth, 32 * nth + 32));
        const root = rootFromPath(required(leaf), { index, size, path });
        expect(root).not.toEqual(merkleRoot(leaves));
      }),
      { numRuns: 500 },
    );
  });

  it('is no root of the tree for another index, or a path of another length', () => {
    fc.assert(
      fc.property(aProof, fc.nat({ max: 45 }), ({ size, index }, other) => {
        const leaves = leavesOf(size);
        const leaf = required(leaves[index]);
        const path = inclusionPath(leaves, index);
        const root = merkleRoot(leaves);
        if (other !== index) {
          expect(rootFromPath(leaf, { index: other, size, path })).not.toEqual(root);
        }
        expect(rootFromPath(leaf, { index, size, path: [...path, leaf] })).not.toEqual(root);
        if (path.length > 0) {
          expect(rootFromPath(leaf, { index, size, path: path.slice(1) })).not.toEqual(root);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('does not take a node for a leaf', () => {
    const leaves = leavesOf(4);
    const node = Buffer.concat(leaves.slice(0, 2));
    expect(leafHash(node)).not.toEqual(merkleRoot(leaves.slice(0, 2)));
  });
});
