import type { Tx } from '../../../db/connection.ts';
import type {
  AttemptId,
  CampaignId,
  ConnectionId,
  ImportId,
  InviteId,
  PaymentId,
  RedemptionId,
  RehearsalId,
  RewardId,
  TenantId,
  UserId,
  WalletId,
} from '../../../domain/ids.ts';
import type { Bounds } from './findings.ts';
import { idOf } from './rows.ts';

/** A function as the service calls it, and what it may touch for that. */
export type Case = Bounds & {
  /** The function, as `folder/file.name`. */
  covers: string;
  /** What is special about this call. */
  when?: string;
  run(tx: Tx): Promise<unknown>;
};

export const LIMIT = 50;
/** A position deep in every list. */
export const DEEP = 5_000;

export const tenantId = idOf('tenant', 1) as TenantId;
export const userId = idOf('user', 1) as UserId;
export const walletId = idOf('wallet', 1) as WalletId;
export const at = {
  tenant: idOf('tenant', DEEP) as TenantId,
  user: idOf('user', DEEP) as UserId,
  wallet: idOf('wallet', DEEP) as WalletId,
  payment: idOf('payment', DEEP) as PaymentId,
  connection: idOf('connection', DEEP) as ConnectionId,
  redemption: idOf('redemption', DEEP) as RedemptionId,
  rehearsal: idOf('rehearsal', DEEP) as RehearsalId,
  campaign: idOf('campaign', DEEP) as CampaignId,
  reward: idOf('reward', DEEP) as RewardId,
  import: idOf('import', DEEP) as ImportId,
  invite: idOf('invite', DEEP) as InviteId,
  attempt: idOf('attempt', DEEP) as AttemptId,
  request: idOf('request', DEEP),
};

export const manyOf = (count: number, kind: string): string[] =>
  Array.from({ length: count }, (_, index) => idOf(kind, index + 1));
