/**
 * What repeats in the bodies of webhook events, the most frequent last, where a reference to it is
 * shortest. Every body that is stored with it can be read only with exactly these bytes: never
 * change them. A better dictionary is a new one, with an encoding of its own.
 */
export const DICTIONARY = Buffer.from(
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
  'utf8',
);
