import { afterAll, expect } from 'vitest';
import { startTopology, type Topology, type TopologyOptions } from './topology.ts';

/** Starts a topology for a scenario file and closes it after the tests of the file. */
export async function useTopology(options: TopologyOptions = {}): Promise<Topology> {
  const topology = await startTopology(options);
  afterAll(() => topology.close());
  return topology;
}

/** Asserts that the ledger verifies and that no process exited unexpectedly. */
export async function expectIntact(topology: Topology): Promise<void> {
  const verified = await topology.verify();
  expect(verified.status, verified.text).toBe(0);
  expect(topology.faults()).toEqual([]);
}
