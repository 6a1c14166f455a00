/** A payment as alpha sends it. The order of its fields matters: signatures cover the bytes. */
export const ALPHA_PAYMENT = {
  id: 'PAY_ALPHA_0001',
  created_at: '2026-01-15T10:00:00.086Z',
  updated_at: '2026-01-15T10:00:02.100Z',
  amount_money: { amount: 1250, currency: 'EUR' },
  tip_money: { amount: 150, currency: 'EUR' },
  total_money: { amount: 1400, currency: 'EUR' },
  status: 'COMPLETED',
  source_type: 'CARD',
  location_id: 'LOC_ALPHA_01',
  order_id: 'ORD_ALPHA_0001',
  customer_id: 'CUST_ALPHA_01',
  version_token: 'v-2',
};

/** The event that reports this payment. */
export const ALPHA_EVENT = {
  merchant_id: 'MLALPHA000001',
  type: 'payment.updated',
  event_id: '6a8f5f28-54a1-4eb0-a98a-3111513fd4fc',
  created_at: '2026-01-15T10:00:02.308Z',
  data: { type: 'payment', id: ALPHA_PAYMENT.id, object: { payment: ALPHA_PAYMENT } },
};
