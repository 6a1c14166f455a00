import { inflateRawSync } from 'node:zlib';
import type { Knex } from 'knex';

/**
 * How the body of an event is stored (db/events/stored-bodies.ts); null is as received. The bodies
 * that are there stay as they are.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_bodies add column encoding smallint');
}

/** Writes every body out as it was received. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_bodies disable trigger webhook_bodies_stay_as_received');
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await knex.raw<{ rows: { id: string; body: Buffer }[] }>(
      `select id, body from webhook_bodies
       where id > :after and encoding = 1 order by id limit 1000`,
      { after },
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    const bodies = rows.map(({ body }) => inflateRawSync(body, { dictionary: DICTIONARY }));
    await knex.raw(
      `update webhook_bodies b set body = n.body, encoding = null
       from unnest(:ids::uuid[], :bodies::bytea[]) as n(id, body) where b.id = n.id`,
      { ids: rows.map(({ id }) => id), bodies },
    );
    after = last.id;
  }
  await knex.raw('alter table webhook_bodies enable trigger webhook_bodies_stay_as_received');
  await knex.raw('alter table webhook_bodies drop column encoding');
}

/** The dictionary of encoding 1: a copy, since a migration stands alone and this never changes. */
const DICTIONARY = Buffer.from(
  [
    '{"appId":"","merchants":{"":[{"objectId":"O:","type":"DELETE","ts":176',
    '},{"objectId":"P:","type":"CREATE","ts":177},{"objectId":"P:","type":"UPDATE","ts":178}]}}',
    '"type":"refund.created","data":{"type":"refund","object":{"refund":{"status":"PENDING",',
    '"processing_fee":[{"effective_at":"","type":"INITIAL","delay_action":"CANCEL",',
    '"delay_duration":"PT168H","delayed_until":"","team_member_id":"","device_details":{',
    '"card_details":{"status":"CAPTURED","card":{"card_brand":"MASTERCARD","VISA","last_4":"",',
    '"exp_month":,"exp_year":202,"fingerprint":"","card_type":"CREDIT","DEBIT",',
    '"prepaid_type":"NOT_PREPAID","bin":""},"entry_method":"KEYED","CONTACTLESS","EMV",',
    '"cvv_status":"CVV_ACCEPTED","avs_status":"AVS_ACCEPTED","auth_result_code":"",',
    '"card_payment_timeline":{"authorized_at":"","captured_at":""}},"statement_description":"',
    '"receipt_number":"","receipt_url":"https://","reference_id":"","note":"","version":,',
    '"approved_money":{"amount":,"currency":"USD"},"app_fee_money":{"amount":,"currency":"GBP"},',
    '"refunded_money":{"amount":,"currency":"EUR"},"refund_ids":["APPROVED","CANCELED",',
    '{"merchant_id":"","type":"payment.updated","event_id":"","created_at":"2026-01-01T00:00:00.',
    '000Z","data":{"type":"payment","id":"","object":{"payment":{"id":"","created_at":"2026-01-',
    '01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","amount_money":{"amount":,',
    '"currency":"EUR"},"tip_money":{"amount":,"currency":"EUR"},"total_money":{"amount":,',
    '"currency":"EUR"},"status":"COMPLETED","source_type":"CARD","location_id":"","order_id":"",',
    '"customer_id":"","buyer_email_address":"@example.com","version_token":""}}}}',
  ].join(''),
);
