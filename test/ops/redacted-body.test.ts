import { expect, it } from 'vitest';
import { redactedBody } from '../../ops/redacted-body.ts';
import { anAlphaEvent } from '../support/factories.ts';

const redacted = (value: unknown) => redactedBody(Buffer.from(JSON.stringify(value)));

it('shows what happened to which payment', () => {
  const body = anAlphaEvent('M1', { id: 'PAY_1', amount: 990, email: 'ann@example.com' });
  expect(redactedBody(body)).toMatchObject({
    merchant_id: 'M1',
    type: 'payment.updated',
    created_at: '2026-01-15T10:00:02.308Z',
    data: {
      object: {
        payment: {
          id: 'PAY_1',
          amount_money: { amount: 990, currency: 'EUR' },
          status: 'COMPLETED',
          buyer_email_address: '***',
        },
      },
    },
  });
});

it('hides every other text, wherever it is', () => {
  const shown = JSON.stringify(
    redacted({
      note: 'for Ann Miller',
      customer: { firstName: 'Ann', phoneNumbers: [{ phoneNumber: '+1212555001' }], phone: 1212 },
      'ann@example.com': true,
      id: 'ann@example.com',
      reference_id: '+41791234567',
      card: { last_4: '4242', exp_month: 12, cardholder_name: 'ANN' },
      items: ['Ann', { state: 'Ann Miller' }],
    }),
  );
  for (const secret of ['Ann', 'ann@', '1212', '4179', '4242', '12']) {
    expect(shown).not.toContain(secret);
  }
});

it('returns null for a body that is not JSON', () => {
  expect(redactedBody(Buffer.from('ann@example.com'))).toBeNull();
});
