import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { connect, type Db } from '../../db/connection.ts';
import type { Sale } from '../sales.ts';
import { emailOf } from '../sales.ts';
import type { Testbed } from '../testbed.ts';
import { largeSize, type Size, SMALL, tenantOf } from './sizes.ts';

/** A copy of a built database. */
export type Built = { size: Size; url: string; db: Db };
/** The two that are compared. Whatever is measured takes turns between them. */
export type Pair = { small: Built; large: Built };

const CONNECTIONS = 8;
const execute = promisify(execFile);

/** Copies the kept databases, so that they stay as they were built. */
export async function openPair(testbed: Testbed, scale: number): Promise<Pair> {
  const open = async (size: Size): Promise<Built> => {
    testbed.log(`Copying the ${size.name} database`);
    const url = await testbed.database(`bench_${size.name}`, size.name);
    const db = connect(url, CONNECTIONS, 'loyalty-bench');
    testbed.onClose(() => db.destroy());
    return { size, url, db };
  };
  const pair = { small: await open(SMALL), large: await open(largeSize(scale)) };
  // Or the disk is still busy with the copies while commits wait for it.
  await execute('sync');
  return pair;
}

/** Coprime to the numbers of wallets, so that adjacent sales belong to different tenants. */
const STRIDE = 7_919;

/** Returns the nth sale of a series: of consumers all over the database, each in turn. */
export function saleOf({ size }: Pick<Built, 'size'>, series: string, nth: number): Sale {
  const consumer = (nth * STRIDE) % size.wallets;
  return {
    paymentId: `${series}-${nth}`,
    merchantId: `MERCHANT${tenantOf(consumer, size)}`,
    email: emailOf(consumer),
    amount: 100 + (nth % 900),
  };
}

/** Returns `count` numbers of consumers, spread evenly over the database. */
export function spreadConsumers({ size }: Built, count: number): number[] {
  const step = Math.max(1, Math.floor(size.wallets / count));
  return Array.from({ length: Math.min(count, size.wallets) }, (_, nth) => nth * step);
}
