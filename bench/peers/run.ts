import { startLoadGenerator } from '../load.ts';
import type { Options } from '../options.ts';
import type { Section } from '../report.ts';
import type { Testbed } from '../testbed.ts';
import { type Contender, loop, ours, throughPeer } from './contenders.ts';
import { PEERS, type Peer } from './engines.ts';
import { installPeers } from './install.ts';
import { JobSize } from './job-engine.ts';
import { measureContenders } from './measure.ts';
import { hasRedis, type Redis, startRedis } from './redis.ts';
import { sectionOf } from './report.ts';

/**
 * Measures our service beside the engines that it could use in place of Temporal, each with a job
 * per event and with a job per flush. A peer that this machine cannot run is left out by name.
 */
export async function runPeers(testbed: Testbed, options: Options): Promise<Section[]> {
  const { present, leftOut } = await findPeers(testbed, options.peers);
  const contenders = [await ours(testbed), await loop(testbed)];
  const redis = present.some(needsRedis) ? await startRedis(testbed) : undefined;
  for (const peer of present) contenders.push(...(await settingsOf(testbed, peer, redis)));
  const load = startLoadGenerator(testbed);
  const measured = await measureContenders(testbed, load, contenders, options);
  const section = sectionOf(measured, leftOut);
  options.print(section);
  return [section];
}

/** Returns the peers of these names, or all, that can run here, and why others cannot. */
async function findPeers(
  testbed: Testbed,
  names: readonly string[],
): Promise<{ present: Peer[]; leftOut: string[] }> {
  const wanted = PEERS.filter(({ name }) => names.length === 0 || names.includes(name));
  const failure = await installPeers(testbed.log);
  const redisIsThere = await hasRedis();
  const present: Peer[] = [];
  const leftOut: string[] = [];
  for (const peer of wanted) {
    if (failure !== undefined) leftOut.push(`${peer.name}: ${failure}`);
    else if (peer.needsRedis && !redisIsThere)
      leftOut.push(`${peer.name}: there is no redis-server on the PATH`);
    else present.push(peer);
  }
  return { present, leftOut };
}

function settingsOf(testbed: Testbed, peer: Peer, redis: Redis | undefined): Promise<Contender[]> {
  const own = needsRedis(peer) ? redis : undefined;
  return Promise.all(
    JobSize.options.map((jobSize) => throughPeer(testbed, peer, { jobSize, redis: own })),
  );
}

function needsRedis(peer: Peer): boolean {
  return peer.needsRedis;
}
