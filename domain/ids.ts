import { z } from 'zod';

// Branded, so that a wallet's id cannot be passed for a tenant's.
export const UserId = z.uuid().brand<'UserId'>();
export const TenantId = z.uuid().brand<'TenantId'>();
export const WalletId = z.uuid().brand<'WalletId'>();
export const EntryId = z.uuid().brand<'EntryId'>();
export const RewardRuleId = z.uuid().brand<'RewardRuleId'>();
export const ProgrammeVersionId = z.uuid().brand<'ProgrammeVersionId'>();
export const CampaignId = z.uuid().brand<'CampaignId'>();
export const RewardId = z.uuid().brand<'RewardId'>();
export const ErasureId = z.uuid().brand<'ErasureId'>();
/** A file of members whose points are brought over. */
export const ImportId = z.uuid().brand<'ImportId'>();
/** Points that a merchant asks an administrator to give a customer. */
export const GoodwillId = z.uuid().brand<'GoodwillId'>();
/** A rule that is tried over sales of the past. */
export const RehearsalId = z.uuid().brand<'RehearsalId'>();
export const PaymentId = z.uuid().brand<'PaymentId'>();
export const RedemptionId = z.uuid().brand<'RedemptionId'>();
export const EventId = z.uuid().brand<'EventId'>();
export const ConnectionId = z.uuid().brand<'ConnectionId'>();
export const InviteId = z.uuid().brand<'InviteId'>();
/** A thing that a tenant's own systems are told of. */
export const TenantEventId = z.uuid().brand<'TenantEventId'>();
/** An address to which a tenant's events are sent. */
export const EndpointId = z.uuid().brand<'EndpointId'>();
export const DeliveryId = z.uuid().brand<'DeliveryId'>();
/** A browser that is told of points. */
export const PushSubscriptionId = z.uuid().brand<'PushSubscriptionId'>();
/** An authorization at a provider: the nonce of its state, then the id of the attempt. */
export const AttemptId = z.uuid().brand<'AttemptId'>();
/** A stored object: a random name, which reveals nothing and is never reused. */
export const ObjectName = z
  .string()
  .regex(/^[0-9a-f]{32}\.webp$/)
  .brand<'ObjectName'>();
/** The object of a signed statement. The API serves no name with a slash. */
export const StatementName = z
  .string()
  .regex(/^statements\/[0-9a-f-]{36}\/\d{10,}\.json$/)
  .brand<'StatementName'>();

export type UserId = z.infer<typeof UserId>;
export type TenantId = z.infer<typeof TenantId>;
export type WalletId = z.infer<typeof WalletId>;
export type EntryId = z.infer<typeof EntryId>;
export type RewardRuleId = z.infer<typeof RewardRuleId>;
export type ProgrammeVersionId = z.infer<typeof ProgrammeVersionId>;
export type CampaignId = z.infer<typeof CampaignId>;
export type RewardId = z.infer<typeof RewardId>;
export type ErasureId = z.infer<typeof ErasureId>;
export type ImportId = z.infer<typeof ImportId>;
export type GoodwillId = z.infer<typeof GoodwillId>;
export type RehearsalId = z.infer<typeof RehearsalId>;
export type PaymentId = z.infer<typeof PaymentId>;
export type RedemptionId = z.infer<typeof RedemptionId>;
export type EventId = z.infer<typeof EventId>;
export type ConnectionId = z.infer<typeof ConnectionId>;
export type InviteId = z.infer<typeof InviteId>;
export type TenantEventId = z.infer<typeof TenantEventId>;
export type EndpointId = z.infer<typeof EndpointId>;
export type DeliveryId = z.infer<typeof DeliveryId>;
export type PushSubscriptionId = z.infer<typeof PushSubscriptionId>;
export type AttemptId = z.infer<typeof AttemptId>;
export type ObjectName = z.infer<typeof ObjectName>;
export type StatementName = z.infer<typeof StatementName>;
