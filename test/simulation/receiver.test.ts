import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSecret, signedHeaders } from '../../gateways/webhooks/signature.ts';
import { type Inbox, problemOfSignature, type Receiver, startReceiver } from './receiver.ts';

const SECRET = newSecret();
const BODY = '{"type":"rule.published"}';

let receiver: Receiver;
let inbox: Inbox;
beforeAll(async () => {
  receiver = await startReceiver(1);
  inbox = receiver.open('shop');
});
afterAll(() => receiver.close());

describe('the systems of a shop', () => {
  it('take most messages, and say of others that they did not, truly or not', async () => {
    const statuses: (number | undefined)[] = [];
    for (let nth = 0; nth < 100; nth++) {
      const sent = { id: `m${nth}`, sentAt: new Date(), secrets: [SECRET] };
      const headers = signedHeaders(BODY, sent);
      const answer = fetch(inbox.url, { method: 'POST', headers, body: BODY });
      statuses.push(await answer.then(({ status }) => status).catch(() => undefined));
    }
    expect(new Set(statuses)).toEqual(new Set([204, 500, undefined]));
    expect(inbox.messages).toHaveLength(100);
    const taken = inbox.messages.filter(({ isTaken }) => isTaken).length;
    expect(taken).toBeGreaterThan(statuses.filter((status) => status === 204).length);
    expect(inbox.messages.map((each) => problemOfSignature(each, SECRET))).toEqual(
      Array(100).fill(undefined),
    );
  });

  it('know a message that was signed with another secret, or is another one', () => {
    const headers = signedHeaders(BODY, { id: 'm', sentAt: new Date(), secrets: [SECRET] });
    const message = { headers, body: BODY, isTaken: true };
    expect(problemOfSignature(message, SECRET)).toBeUndefined();
    expect(problemOfSignature(message, newSecret())).toMatch(/not signed/);
    expect(problemOfSignature({ ...message, body: '{}' }, SECRET)).toMatch(/not signed/);
    const unsigned = { ...headers, 'webhook-signature': '' };
    expect(problemOfSignature({ ...message, headers: unsigned }, SECRET)).toMatch(/not signed/);
  });
});
