import type { ChaosDial } from '../shared/chaos.ts';
import type { RestFaults } from '../shared/rest-faults.ts';
import type { ScheduledFault } from './commands.ts';
import type { Deliveries } from './deliveries.ts';
import type { WebhookFaults } from './webhook-faults.ts';
import type { World } from './world.ts';

/** Everything that a person or a test may move: the world, and what goes wrong in it. */
export type Controls = {
  readonly world: World;
  readonly deliveries: Deliveries;
  readonly restFaults: RestFaults<ScheduledFault>;
  readonly webhookFaults: WebhookFaults;
  readonly dial: ChaosDial;
};
