import { expect, it } from 'vitest';
import { restoreDrill } from './restore-drill.ts';
import { log } from './topology.ts';
import { expectIntact, useTopology } from './use-topology.ts';

const topology = await useTopology();

it('a database that is lost is restored to a moment, whole and complete', async () => {
  const { problems } = await restoreDrill(topology, log);
  expect(problems).toEqual([]);
  await expectIntact(topology);
});
