export type { TokenSource } from './access-tokens.ts';
export { type ClientOptions, createClient, type LoyaltyClient } from './client.ts';
export {
  type ErrorCode,
  type Issue,
  type IssueCode,
  isLoyaltyError,
  LoyaltyError,
} from './errors.ts';
export type { ConsumerEvent, FollowOptions, ShopEvent } from './follow.ts';
export type { Lists, Operations } from './generated/operations.ts';
export type { components, operations, paths } from './generated/schema.ts';
export { decimalsOf, formatMinorUnits } from './money.ts';
export type { CallOptions, Input, OperationId, Result } from './operation.ts';
export type { Page, Pages } from './pages.ts';
export type { RetryOptions } from './retries.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.ts';
