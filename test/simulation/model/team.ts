import type { Answer } from './redeeming.ts';
import type { World } from './state.ts';

/** What is asked about a person at the till: the first three by the merchant. */
export type TeamRequest = 'invite' | 'withdraw' | 'remove' | 'accept' | 'decline' | 'leave';

/** Does what is asked, and returns what has to be answered: `ok`, or the code of the refusal. */
export function answerInTeam(world: World, request: TeamRequest, person: string): Answer {
  const { invites, suspended } = world;
  const isMerchants = request === 'invite' || request === 'withdraw' || request === 'remove';
  if (suspended.has(isMerchants ? 'merchant' : person)) return 'suspended';
  const status = invites.get(person);
  switch (request) {
    case 'invite':
      if (world.isShopSuspended) return 'tenant_suspended';
      invites.set(person, 'open');
      return 'ok';
    case 'withdraw':
      return close(world, person, 'withdrawn');
    case 'remove':
      if (!world.operators.has(person)) return ended(world, person);
      // They could return by an invite otherwise.
      if (isAddressee(world, person) && (status === 'open' || status === 'lapsed')) {
        invites.set(person, 'withdrawn');
      }
      return ended(world, person);
    case 'accept':
      if (status === 'accepted') return 'ok';
      if (status !== 'open' || !isAddressee(world, person)) return 'NOT_FOUND';
      if (world.isShopSuspended) return 'tenant_suspended';
      join(world, person);
      return 'ok';
    case 'decline':
      return isAddressee(world, person) ? close(world, person, 'declined') : 'NOT_FOUND';
    case 'leave':
      return ended(world, person);
    default:
      return request satisfies never;
  }
}

/** Somebody who signs in for the first time accepts the invite to that e-mail of an active shop. */
export function joinAtFirst(world: World, person: string): void {
  if (seesInvite(world, person) && !world.isShopSuspended) join(world, person);
}

/** Who is erased works at no till any more, and their invites are nobody's. */
export function forgetInTeam(world: World, person: string): void {
  const { invites, operators, everOperators } = world;
  if (invites.get(person) === 'accepted' || isAddressee(world, person)) invites.delete(person);
  operators.delete(person);
  everOperators.delete(person);
}

/** Whether a person is shown an invite to decide about. */
export function seesInvite(world: World, person: string): boolean {
  return world.invites.get(person) === 'open' && isAddressee(world, person);
}

/** Whether a person has the address that their invites go to, verified. */
function isAddressee({ accounts }: World, person: string): boolean {
  const account = accounts.get(person);
  return account?.isVerified === true && account.email === `${person}.0`;
}

function join(world: World, person: string): void {
  const { invites, operators, everOperators, joined } = world;
  invites.set(person, 'accepted');
  if (!operators.has(person)) joined.push(person);
  operators.add(person);
  everOperators.add(person);
}

function ended({ operators, everOperators }: World, person: string): Answer {
  operators.delete(person);
  return everOperators.has(person) ? 'ok' : 'NOT_FOUND';
}

/** Ends an open invite; one that ended so before stays as it is. */
function close({ invites }: World, person: string, as: 'declined' | 'withdrawn'): Answer {
  const status = invites.get(person);
  if (status !== 'open' && status !== as) return 'NOT_FOUND';
  invites.set(person, as);
  return 'ok';
}
