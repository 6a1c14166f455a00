import type { ChaosDial } from '../shared/chaos.ts';
import type { RestFaults } from '../shared/rest-faults.ts';
import type { ScheduledFault } from './commands.ts';
import type { Deliveries } from './deliveries.ts';
import type { WebhookFaults } from './webhook-faults.ts';
import type { World } from './world.ts';

/** Everything that people and tests control: the world and its faults. */
export type Controls = {
  readonly world: World;
  readonly deliveries: Deliveries;
  readonly restFaults: RestFaults<ScheduledFault>;
  readonly webhookFaults: WebhookFaults;
  readonly dial: ChaosDial;
};
