import type { Db } from '../../db/connection.ts';
import { callApi } from '../api-call.ts';
import type { Directory } from '../identity/directory.ts';
import { obtainToken } from '../identity/sign-in.ts';
import type { Simulators } from '../providers/index.ts';
import type { SeededTenant } from '../seed.ts';
import type { WebhookKeys } from './replay.ts';

/** What the developer page works with. */
export type Place = {
  api: string;
  issuer: string;
  db: Db;
  temporal: { address: string; uiUrl?: string | undefined };
  /** Where mails can be read. */
  mail: string;
  webhookKeys: WebhookKeys;
  tenant: SeededTenant;
  people: Pick<Directory, 'list' | 'named'>;
  simulators: Simulators;
};

/** Calls the API for the sample tenant, signed in as its merchant; the path is below the tenant. */
export async function callAsMerchant(
  { api, issuer, tenant }: Pick<Place, 'api' | 'issuer' | 'tenant'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const token = await obtainToken({ issuer, person: 'merchant' });
  return callApi({ api, token }, method, `/client/tenants/${tenant.tenantId}${path}`, body);
}
