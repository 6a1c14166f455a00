import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import type { Db } from '../../db/connection.ts';
import type { TenantId } from '../../domain/ids.ts';
import { profileOf } from '../simulation/shop.ts';
import { aCampaign, aProgramme } from '../support/factories.ts';
import type { Issuer } from '../support/people/issuer.ts';
import { tokenFor } from '../support/people/tokens.ts';
import { connectedShop, type Shop } from '../support/providers/chaotic-shop.ts';
import type { Deployment } from './deployment.ts';

/** Somebody who signs in again before the token expires. */
export type Person = { email: string; token(): Promise<string> };

/** A consumer of one shop, known to both of its providers. */
export type Consumer = Person & {
  shop: OpenShop;
  alphaId: string;
  betaId: string;
  /** Undefined until the first points. */
  walletId: string | undefined;
};

export type OpenShop = Shop & { operator: Person };

/** Half of what a token lives. */
const RENEWED_AFTER_MS = 300_000;
const CURRENCY_WITHIN_MS = 30_000;

/**
 * Opens shops that are connected to both providers, through the API, with so many consumers each
 * who have signed up. Each shop gives a point for ten minor units, and has a campaign that gives
 * more points for every sale.
 */
export async function openShops(
  deployment: Deployment,
  counts: { shops: number; consumersEach: number },
): Promise<Consumer[]> {
  const { db, url, issuer, providers } = deployment;
  const consumers: Consumer[] = [];
  for (let count = 0; count < counts.shops; count++) {
    const connected = await connectedShop({ db, api: url, issuer }, providers);
    const member = connected.tenantId;
    await publishProgramme(db, member);
    const email = `${member}@till.example`;
    const token = await tokenFor(db, issuer, { role: 'pos_operator', member, email });
    const operator = personOf(issuer, email, decodeJwt(token).sub ?? '');
    const shop = { ...connected, operator };
    for (let nth = 0; nth < counts.consumersEach; nth++) {
      consumers.push(await signUp(deployment, shop));
    }
  }
  await untilCurrenciesAreKnown(deployment);
  return consumers;
}

async function signUp({ url, issuer, providers }: Deployment, shop: OpenShop): Promise<Consumer> {
  const sub = randomUUID();
  const email = `${sub}@people.example`;
  const person = personOf(issuer, email, sub);
  await profileOf([url], await person.token());
  const { alpha, beta } = providers;
  return {
    ...person,
    shop,
    alphaId: alpha.addCustomer({ merchantId: shop.alphaMerchantId, email }).id,
    betaId: beta.addCustomer({ merchantId: shop.betaMerchantId, emails: [email] }).id,
    walletId: undefined,
  };
}

function personOf(issuer: Issuer, email: string, sub: string): Person {
  let signedInAt = Number.NEGATIVE_INFINITY;
  let token = Promise.resolve('');
  return {
    email,
    token() {
      if (Date.now() - signedInAt > RENEWED_AFTER_MS) {
        signedInAt = Date.now();
        token = issuer.token({ sub, email, email_verified: true });
      }
      return token;
    },
  };
}

/** What a campaign of every shop adds to the points of each sale. */
export const POINTS_ON_TOP = 5;

/** Points expire, sales count towards a tier, and a budget is drawn on by each of them. */
async function publishProgramme(db: Db, tenantId: TenantId): Promise<void> {
  const gold = { key: 'gold', name: 'Gold', thresholdMinorUnits: 100_000, multiplier: 2 };
  await aProgramme(db, tenantId, {
    timeZone: 'America/New_York',
    validityMonths: 24,
    tiers: [gold],
  });
  const minSpendMinorUnits = POINTS_ON_TOP;
  await aCampaign(db, tenantId, { points: POINTS_ON_TOP, minSpendMinorUnits, budgetPoints: 1e9 });
}

/** Sales in a currency that the shop is not known to have yet earn nothing. */
async function untilCurrenciesAreKnown({ db }: Deployment): Promise<void> {
  for (const deadline = Date.now() + CURRENCY_WITHIN_MS; Date.now() < deadline; await sleep(100)) {
    const unknown = await db('tenants').whereNull('currency').first('id');
    if (unknown === undefined) return;
  }
  throw new Error(`The currencies of the shops were not known within ${CURRENCY_WITHIN_MS} ms.`);
}
