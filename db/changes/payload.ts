import { TenantId, UserId } from '../../domain/ids.ts';

/**
 * Whose wallets or redemptions have changed, in which shops codes were used, and which people, or
 * the tills of which shops, may have lost their access.
 */
export type Changed = {
  userIds: readonly UserId[];
  shopIds: readonly TenantId[];
  /** Ids of users and of tenants: nobody has to tell them apart. */
  accessOf: readonly string[];
};

/** The channel of NOTIFY, which is the database's own. */
export const CHANNEL = 'loyalty_changes';

/** Postgres refuses a payload of 8,000 bytes or more. A name has 37 bytes, and a comma follows. */
const NAMES_PER_PAYLOAD = 200;

const USER = 'u';
const SHOP = 's';
const ACCESS = 'a';
const NAME = /^([usa])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns a name for each id, by which `readPayload` tells what it is about. */
export function namesOf({ userIds, shopIds, accessOf }: Changed): string[] {
  return [
    ...userIds.map((id) => USER + id),
    ...shopIds.map((id) => SHOP + id),
    ...accessOf.map((id) => ACCESS + id),
  ];
}

/** Returns the payloads of NOTIFY for the names, each small enough for Postgres. */
export function payloadsOf(names: readonly string[]): string[] {
  const payloads: string[] = [];
  for (let start = 0; start < names.length; start += NAMES_PER_PAYLOAD) {
    payloads.push(names.slice(start, start + NAMES_PER_PAYLOAD).join());
  }
  return payloads;
}

/** Reads a payload. What another release may have added to it is left out. */
export function readPayload(payload: string): Changed {
  const userIds: UserId[] = [];
  const shopIds: TenantId[] = [];
  const accessOf: string[] = [];
  for (const name of payload.split(',')) {
    const [, kind, id] = NAME.exec(name) ?? [];
    if (kind === USER) userIds.push(UserId.parse(id));
    if (kind === SHOP) shopIds.push(TenantId.parse(id));
    if (kind === ACCESS && id !== undefined) accessOf.push(id);
  }
  return { userIds, shopIds, accessOf };
}
