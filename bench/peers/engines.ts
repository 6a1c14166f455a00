import { bullMq } from './bullmq.ts';
import { dbos } from './dbos.ts';
import { graphileWorker } from './graphile-worker.ts';
import type { JobEngine } from './job-engine.ts';
import { pgBoss } from './pg-boss.ts';

/** A peer: its name in the JSON, and how it is opened, which is when its library is imported. */
export type Peer = { engine: string; needsRedis: boolean; open: JobEngine };

export const PEERS: readonly Peer[] = [
  { engine: 'pg-boss', needsRedis: false, open: pgBoss },
  { engine: 'graphile-worker', needsRedis: false, open: graphileWorker },
  { engine: 'bullmq', needsRedis: true, open: bullMq },
  { engine: 'dbos', needsRedis: false, open: dbos },
];

/** Returns how a peer is opened. Throws when no peer has that name. */
export function engineOf(name: string): JobEngine {
  const peer = PEERS.find(({ engine }) => engine === name);
  if (peer === undefined) throw new Error(`There is no peer ${name}: see bench/peers/engines.ts.`);
  return peer.open;
}
