import { z } from 'zod';
import { ask, outcomeOf } from './client.ts';
import type { Play } from './playing.ts';

const Wallets = z.array(
  z.object({ id: z.string(), tenantId: z.string(), balance: z.int(), status: z.string() }),
);
const Confirmed = z.object({ redemptionCode: z.string(), redemptionId: z.string() });

/** Reads the wallet of a person, and tells the model what it shows. */
export async function walletOf({ deployment, shop, model }: Play, person: string) {
  const known = shop.people.get(person);
  if (known === undefined) return undefined;
  const answer = await ask(deployment.urls, { path: '/consumer/wallets', token: known.token });
  if (model.world.suspended.has(person)) {
    model.askedSuspended(person, outcomeOf(answer));
    return undefined;
  }
  const wallet = Wallets.parse(answer.body).find(({ tenantId }) => tenantId === shop.tenantId);
  model.sawBalance(person, wallet?.balance);
  return wallet && { ...wallet, owner: known };
}

/** Keeps a code that a person got, under its name in the history. */
export function keepCode(
  { deployment, shop, model }: Pick<Play, 'deployment' | 'shop' | 'model'>,
  { person, code }: { person: string; code: string },
  answer: unknown,
): void {
  const { redemptionCode: text, redemptionId: id } = Confirmed.parse(answer);
  deployment.secrets.addCode(`${person}-${shop.mark}`, text);
  const account = model.world.accounts.get(person);
  const isMailed = account?.isVerified === true && account.email !== null;
  shop.codes.set(code, { id, text, person, isMailed });
}
