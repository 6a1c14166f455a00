import { expect, it } from 'vitest';
import { byProvider } from '../../domain/payment.ts';
import { webhookPath } from '../../domain/provider-paths.ts';

it('webhooks come to the addresses that the providers are told', () => {
  expect(byProvider(webhookPath)).toEqual({ alpha: '/webhooks/alpha', beta: '/webhooks/beta' });
});
