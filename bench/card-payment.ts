import { createHash } from 'node:crypto';

type Paid = { paymentId: string; amount: number };

/**
 * Returns what the provider tells of a payment by card besides what the service reads, under the
 * names of its API. All values are made up; those that differ from payment to payment there do so
 * here, so that a body deflates as a real one does.
 */
export function cardPaymentOf({ paymentId, amount }: Paid): Record<string, unknown> {
  const drawn = createHash('sha512').update(paymentId).digest();
  const id = (from: number, bytes: number) =>
    drawn.subarray(from, from + bytes).toString('base64url');
  const money = { amount, currency: 'EUR' };
  return {
    application_details: { application_id: 'app-0123456789abcdefghijkl', square_product: 'POS' },
    approved_money: money,
    total_money: money,
    card_details: {
      auth_result_code: id(0, 4),
      avs_status: 'AVS_ACCEPTED',
      cvv_status: 'CVV_ACCEPTED',
      card: {
        bin: String(400_000 + (drawn.readUInt16BE(4) % 99_999)),
        card_brand: 'VISA',
        card_type: 'DEBIT',
        exp_month: 1 + (drawn.readUInt8(6) % 12),
        exp_year: 2027 + (drawn.readUInt8(7) % 5),
        fingerprint: `sq-1-${id(0, 48)}`,
        last_4: String(1_000 + (drawn.readUInt16BE(8) % 9_000)),
        prepaid_type: 'NOT_PREPAID',
      },
      card_payment_timeline: {
        authorized_at: '2026-01-15T10:00:00.911Z',
        captured_at: '2026-01-15T10:00:02.041Z',
      },
      device_details: { device_id: id(31, 16), device_name: 'Till 1' },
      entry_method: 'CONTACTLESS',
      statement_description: 'A SHOP IN BERLIN',
      status: 'CAPTURED',
    },
    delay_action: 'CANCEL',
    delay_duration: 'PT168H',
    delayed_until: '2026-01-22T10:00:00.086Z',
    order_id: id(16, 20),
    processing_fee: [
      {
        amount_money: { amount: Math.ceil(amount / 60), currency: 'EUR' },
        effective_at: '2026-01-15T12:00:00.000Z',
        type: 'INITIAL',
      },
    ],
    receipt_number: id(36, 3),
    receipt_url: `https://receipts.example/receipt/preview/${id(36, 20)}`,
    risk_evaluation: { created_at: '2026-01-15T10:00:00.911Z', risk_level: 'NORMAL' },
    team_member_id: `TM${id(56, 8)}`,
    version_token: id(20, 33),
  };
}
