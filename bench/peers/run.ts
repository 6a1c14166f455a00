import { startLoadGenerator } from '../load.ts';
import type { Options } from '../options.ts';
import type { Section } from '../report.ts';
import type { Testbed } from '../testbed.ts';
import { type Contender, loop, ours, throughPeer } from './contenders.ts';
import { PEERS, type Peer } from './engines.ts';
import { installPeers } from './install.ts';
import { JobSize } from './job-engine.ts';
import { measureContenders } from './measure.ts';
import { hasRedis, startRedis } from './redis.ts';
import { sectionOf } from './report.ts';

/**
 * Measures our service beside the engines that it could use in place of Temporal, each with a job
 * per event and with a job per flush. A peer that this machine cannot run is left out by name.
 */
export async function runPeers(testbed: Testbed, options: Options): Promise<Section[]> {
  const wanted = wantedPeers(options.peers);
  const obstacles = {
    install: await installPeers(testbed.log),
    redis: (await hasRedis()) ? undefined : 'there is no redis-server on the PATH',
  };
  const { present, leftOut } = choosePeers(wanted, obstacles);
  const contenders = [
    await ours(testbed),
    await loop(testbed),
    ...(await contendersOf(testbed, present)),
  ];
  const load = startLoadGenerator(testbed);
  const section = sectionOf(await measureContenders(testbed, load, contenders, options), leftOut);
  options.print(section);
  return [section];
}

/** Returns the peers of these names, or all without one. Throws when a name is none of them. */
function wantedPeers(names: readonly string[]): Peer[] {
  const unknown = names.find((name) => !PEERS.some(({ engine }) => engine === name));
  if (unknown !== undefined) {
    const all = PEERS.map(({ engine }) => engine).join(', ');
    throw new Error(`There is no peer ${unknown}: choose from ${all}.`);
  }
  return PEERS.filter(({ engine }) => names.length === 0 || names.includes(engine));
}

/** Why peers cannot run here; undefined where they can. */
export type Obstacles = { install: string | undefined; redis: string | undefined };

/** Returns the peers that can run, and a line for each that cannot, with the reason. */
export function choosePeers(
  wanted: readonly Peer[],
  { install, redis }: Obstacles,
): { present: Peer[]; leftOut: string[] } {
  const present: Peer[] = [];
  const leftOut: string[] = [];
  for (const peer of wanted) {
    const obstacle = install ?? (peer.needsRedis ? redis : undefined);
    if (obstacle === undefined) present.push(peer);
    else leftOut.push(`${peer.engine}: ${obstacle}`);
  }
  return { present, leftOut };
}

async function contendersOf(testbed: Testbed, peers: readonly Peer[]): Promise<Contender[]> {
  const redis = peers.some(({ needsRedis }) => needsRedis) ? await startRedis(testbed) : undefined;
  const contenders: Contender[] = [];
  for (const peer of peers) {
    for (const jobSize of JobSize.options) {
      const options = { jobSize, redis: peer.needsRedis ? redis : undefined };
      contenders.push(await throughPeer(testbed, peer, options));
    }
  }
  return contenders;
}
