import { bullMq } from './bullmq.ts';
import { dbos } from './dbos.ts';
import { graphileWorker } from './graphile-worker.ts';
import type { JobEngine } from './job-engine.ts';
import { pgBoss } from './pg-boss.ts';

/** A peer, and what it needs besides Postgres. Imports its library only when it is opened. */
export type Peer = { name: string; library: string; needsRedis: boolean; engine: JobEngine };

export const PEERS: readonly Peer[] = [
  { name: 'pg-boss', library: 'pg-boss', needsRedis: false, engine: pgBoss },
  {
    name: 'graphile-worker',
    library: 'graphile-worker',
    needsRedis: false,
    engine: graphileWorker,
  },
  { name: 'BullMQ', library: 'bullmq', needsRedis: true, engine: bullMq },
  { name: 'DBOS', library: '@dbos-inc/dbos-sdk', needsRedis: false, engine: dbos },
];

/** Returns the engine of a peer. Throws when there is none of that name. */
export function engineOf(name: string): JobEngine {
  const peer = PEERS.find((each) => each.name === name);
  if (peer === undefined) throw new Error(`There is no peer ${name}: see bench/peers/engines.ts.`);
  return peer.engine;
}
