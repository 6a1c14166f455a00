import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { webhookPath } from '../../../../domain/provider-paths.ts';
import { anAlphaEvent } from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import {
  answerOf,
  limitWarnings,
  SIGNATURE_KEY,
  serveLimited,
  statuses,
} from '../../../support/http/limited.ts';
import { startIssuer } from '../../../support/people/issuer.ts';

const database = await useDatabase();
const issuer = await startIssuer();
const one = await serveLimited(database.db, issuer);
afterAll(async () => {
  await one.close();
  await issuer.close();
});

describe('webhooks', () => {
  const deliver = async (merchantId: string, signed = true) => {
    const body = anAlphaEvent(merchantId);
    const address = `https://api.shop.example/api/v1${webhookPath('alpha')}`;
    const hmac = createHmac('sha256', signed ? SIGNATURE_KEY : 'another key');
    const response = await fetch(`${one.url}/api/v1${webhookPath('alpha')}`, {
      method: 'POST',
      headers: {
        'x-alpha-hmacsha256-signature': hmac.update(address).update(body).digest('base64'),
      },
      body: new Uint8Array(body),
    });
    return answerOf(response);
  };

  it('are limited per merchant, as their headers say', async () => {
    const merchantId = `M-${randomUUID()}`;
    one.log.length = 0;
    expect(await deliver(merchantId)).toMatchObject({
      status: 200,
      policy: '"webhooks";q=3;w=60',
      limit: expect.stringMatching(/^"webhooks";r=2;t=\d+$/),
    });
    expect(await statuses(9, () => deliver(merchantId))).toEqual({ 200: 2, 429: 7 });
    expect(await deliver(`M-${randomUUID()}`)).toMatchObject({ status: 200 });
    expect(limitWarnings(one)).toHaveLength(1);
  });

  it('are counted only after their signature is verified', async () => {
    const merchantId = `M-${randomUUID()}`;
    expect(await statuses(9, () => deliver(merchantId, false))).toEqual({ 401: 9 });
    expect(await deliver(merchantId)).toMatchObject({
      status: 200,
      limit: expect.stringMatching(/^"webhooks";r=2;/),
    });
  });
});
