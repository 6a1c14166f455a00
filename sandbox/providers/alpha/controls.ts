import type { ChaosDial } from '../shared/chaos.ts';
import type { Faults } from '../shared/rest-faults.ts';
import type { Deliveries } from './deliveries.ts';
import type { Disturbances } from './webhook-faults.ts';
import type { World } from './world.ts';

/** Everything that a person or a test may move: the world, and what goes wrong in it. */
export type Steering = {
  readonly world: World;
  readonly deliveries: Deliveries;
  readonly faults: Faults;
  readonly disturbances: Disturbances;
  readonly dial: ChaosDial;
};
