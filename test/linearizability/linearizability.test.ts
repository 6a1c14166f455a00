import { afterAll, expect, it } from 'vitest';
import { useTemporal } from '../support/fixtures.ts';
import type { Fault } from './faults.ts';
import { playRound } from './round.ts';
import { startService } from './service.ts';

const temporal = await useTemporal();
const service = await startService(temporal);
afterAll(() => service.close());

it.each<{ seed: number; fault?: Fault }>([
  { seed: 1 },
  { seed: 2, fault: 'API killed' },
  { seed: 3, fault: 'connections cut' },
  { seed: 4, fault: 'Postgres crashed' },
  { seed: 5, fault: 'Postgres paused' },
  { seed: 6, fault: 'worker killed' },
])(
  'every history is that of a single wallet: seed $seed, $fault',
  async ({ seed, fault }) => {
    const round = { seed, wallets: 4, steps: 12, ...(fault && { fault }) };
    const { histories, undecided, operations, violations } = await playRound(service, round);
    expect(violations).toEqual([]);
    expect(histories).toBe(4);
    // On a busy machine more happens at the same moment than can be searched.
    expect(undecided).toBeLessThan(histories);
    // Of 288 steps: reads that nobody answers are left out, more of them where a start takes long.
    expect(operations).toBeGreaterThan(100);
  },
  60_000,
);
