import { z } from 'zod';
import { Refusal } from '../../../domain/errors.ts';
import {
  CampaignId,
  ConnectionId,
  DeliveryId,
  EndpointId,
  EntryId,
  GoodwillId,
  ImportId,
  InviteId,
  ObjectName,
  PaymentId,
  PushSubscriptionId,
  RedemptionId,
  RehearsalId,
  RewardId,
  TenantId,
  UserId,
  WalletId,
} from '../../../domain/ids.ts';

/** Every parameter that a path may have, and the id it holds. */
export const pathIds = {
  tenantId: TenantId,
  userId: UserId,
  walletId: WalletId,
  entryId: EntryId,
  transactionId: PaymentId,
  redemptionId: RedemptionId,
  connectionId: ConnectionId,
  inviteId: InviteId,
  endpointId: EndpointId,
  deliveryId: DeliveryId,
  rehearsalId: RehearsalId,
  campaignId: CampaignId,
  rewardId: RewardId,
  importId: ImportId,
  goodwillId: GoodwillId,
  pushSubscriptionId: PushSubscriptionId,
  objectName: ObjectName,
  /** Its route checks it: what is no day is refused as a day that is too old. */
  day: z.string(),
} as const;

export type PathIds = typeof pathIds;
const PATH_IDS = Object.entries(pathIds);

/** Returns the ids of a path in lower case. Throws NOT_FOUND for one that cannot exist. */
export function parseParams(raw: Readonly<Record<string, string>>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, schema] of PATH_IDS) {
    const value = raw[name];
    if (value === undefined) continue;
    const id = schema.safeParse(value.toLowerCase());
    if (!id.success)
      throw new Refusal('NOT_FOUND', `There is nothing with this ${name}. Check the id.`);
    params[name] = id.data;
  }
  return params;
}
