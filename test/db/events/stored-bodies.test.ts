import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBody, storedBody } from '../../../db/events/stored-bodies.ts';

const OF_ALPHA =
  '{"merchant_id":"M1","type":"payment.updated","event_id":"e-1",' +
  '"created_at":"2026-01-15T10:00:02.308Z","data":{"type":"payment","id":"P1","object":' +
  '{"payment":{"id":"P1","amount_money":{"amount":1250,"currency":"EUR"},"status":"COMPLETED"}}}}';
const OF_BETA =
  '{"appId":"BETAAPP000001","merchants":{"BETAMERCH0001":' +
  '[{"objectId":"P:BETAPAY000001","type":"CREATE","ts":1768471200000}]}}';

describe('a stored body', () => {
  // What was stored with this encoding stays readable as long as it exists.
  it.each([
    [OF_ALPHA, 'Q08DvoZEpoJUXZBKrFFkaBpiCAl6Iz1jAwvCCSEAZBTupACWxhV5hkamBkQGNsi/AA=='],
    [OF_BETA, 'q4bXG06uIY6OAQEGIGCIXomAJH1dg5w9wJJoNUqAFUg6wDESrhfmG9Q6w8zCxNzQCKwIVCUAAA=='],
  ])('is read as it was written: %s', (body, base64) => {
    const stored = { body: Buffer.from(base64, 'base64'), encoding: 1 };
    expect(readBody(stored).toString()).toBe(body);
  });

  it.each([OF_ALPHA, OF_BETA])('is less than half as long: %s', (body) => {
    expect(storedBody(Buffer.from(body)).body.length).toBeLessThan(body.length / 2);
  });

  it('is read as it was received, whatever it was', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 3_000 }).map((text) => Buffer.from(text));
    const bytes = fc.uint8Array({ maxLength: 3_000 }).map((each) => Buffer.from(each));
    const json = fc.json().map((text) => Buffer.from(text));
    fc.assert(
      fc.property(fc.oneof(texts, bytes, json), (body) => {
        const stored = storedBody(body);
        expect(stored.body.length).toBeLessThanOrEqual(body.length);
        expect(readBody(stored).equals(body)).toBe(true);
      }),
    );
  });

  it('of an encoding that a newer release writes is refused, and not read as another', () => {
    expect(() => readBody({ body: Buffer.from(OF_BETA), encoding: 2 })).toThrow('newer release');
  });

  it('is as received where nothing is saved, or where Postgres compresses it', () => {
    for (const body of [Buffer.alloc(0), randomBytes(500), Buffer.alloc(20_000, 'a')]) {
      expect(storedBody(body)).toEqual({ body, encoding: null });
    }
  });
});
