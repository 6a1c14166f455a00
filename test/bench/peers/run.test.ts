import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PEERS } from '../../../bench/peers/engines.ts';
import { ENGINE_NAMES } from '../../../bench/peers/figures.ts';
import { choosePeers } from '../../../bench/peers/run.ts';

const names = PEERS.map(({ engine }) => engine);

describe('choosePeers', () => {
  it('all of them where nothing is missing', () => {
    const { present, leftOut } = choosePeers(PEERS, { install: undefined, redis: undefined });
    expect(present.map(({ engine }) => engine)).toEqual(names);
    expect(leftOut).toEqual([]);
  });

  it('without a Redis only those that need none, and says so', () => {
    const { present, leftOut } = choosePeers(PEERS, { install: undefined, redis: 'no server' });
    expect(present.map(({ engine }) => engine)).toEqual(names.filter((name) => name !== 'bullmq'));
    expect(leftOut).toEqual(['bullmq: no server']);
  });

  it('none where the libraries cannot be installed, each with the reason', () => {
    const { present, leftOut } = choosePeers(PEERS, { install: 'offline', redis: undefined });
    expect(present).toEqual([]);
    expect(leftOut).toEqual(names.map((name) => `${name}: offline`));
  });
});

describe('PEERS', () => {
  it('each has a name for people', () => {
    expect(names.filter((name) => !ENGINE_NAMES.has(name))).toEqual([]);
  });
});

describe('the libraries of the peers', () => {
  const read = (name: string) =>
    readFileSync(new URL(`../../../bench/peers/${name}`, import.meta.url), 'utf8');

  it('have exact versions, and a lock file for any registry', () => {
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      read('package.json'),
    );
    const lock = read('package-lock.json');
    for (const [name, version] of Object.entries(dependencies)) {
      expect(JSON.parse(lock).packages[`node_modules/${name}`]).toMatchObject({ version });
    }
    expect(lock).not.toContain('"resolved"');
  });
});
