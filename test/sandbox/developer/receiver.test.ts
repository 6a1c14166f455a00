import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createReceiver } from '../../../sandbox/developer/receiver.ts';
import { useFolder } from '../fixtures.ts';

const folder = useFolder('receiver-');
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;

/** A delivery as the service signs it. */
function delivered(id: string, secret = SECRET, at = new Date()) {
  const body = JSON.stringify({ type: 'points.credited', timestamp: at.toISOString(), data: {} });
  const signature = new Webhook(secret).sign(id, at, body);
  return { id, timestamp: String(Math.floor(at.getTime() / 1000)), signature, body };
}

describe('a receiver', () => {
  it('verifies signatures by each secret that it trusts', () => {
    const receiver = createReceiver();
    receiver.trust(OTHER);
    receiver.trust(SECRET);
    expect(receiver.receive(delivered('one'))).toEqual({ status: 200 });
    expect(receiver.receive(delivered('two', OTHER))).toEqual({ status: 200 });
    expect(receiver.deliveries()).toMatchObject([
      { id: 'two', type: 'points.credited', check: 'verified', answer: '200', attempt: 1 },
      { id: 'one', check: 'verified', answer: '200', attempt: 1 },
    ]);
  });

  it.each([
    ['another secret', () => delivered('x', OTHER)],
    ['another body', () => ({ ...delivered('x'), body: '{"type":"points.credited"}' })],
    ['another id', () => ({ ...delivered('x'), id: 'y' })],
    ['no signature', () => ({ ...delivered('x'), signature: '' })],
    ['an old time', () => delivered('x', SECRET, new Date(Date.now() - 3_600_000))],
  ])('answers 401 to a delivery with %s', (_, make) => {
    const receiver = createReceiver();
    receiver.trust(SECRET);
    expect(receiver.receive(make())).toEqual({ status: 401 });
    expect(receiver.deliveries()[0]?.check).toMatch(/^refused: \S/);
  });

  it('accepts what it cannot check, and says so', () => {
    const receiver = createReceiver();
    expect(receiver.receive(delivered('x'))).toEqual({ status: 200 });
    expect(receiver.deliveries()[0]?.check).toBe('not checked: no secret is known here');
  });

  it('answers 500 or nothing when told to, and counts what comes again', () => {
    const receiver = createReceiver();
    receiver.trust(SECRET);
    receiver.behaviour = 'answer 500';
    expect(receiver.receive(delivered('x'))).toEqual({ status: 500 });
    receiver.behaviour = 'hang';
    expect(receiver.receive(delivered('x'))).toEqual({ status: undefined });
    receiver.behaviour = 'accept';
    expect(receiver.receive(delivered('x'))).toEqual({ status: 200 });
    const seen = receiver.deliveries().map(({ attempt, answer }) => `${attempt}: ${answer}`);
    expect(seen).toEqual(['3: 200', '2: none', '1: 500']);
  });

  it('keeps the last hundred', () => {
    const receiver = createReceiver();
    for (let nth = 1; nth <= 101; nth++) receiver.receive(delivered(`event-${nth}`));
    const ids = receiver.deliveries().map(({ id }) => id);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, 'event-101', 'event-2']);
  });

  it('knows its secrets and its endpoint after a restart', () => {
    const file = join(folder.path, 'receiver.json');
    createReceiver(file).trust(SECRET, 'an-endpoint');
    createReceiver(file).trust(OTHER);
    const again = createReceiver(file);
    expect(again.secrets()).toEqual([OTHER, SECRET]);
    expect(again.endpointId()).toBe('an-endpoint');
    writeFileSync(file, 'damaged');
    expect(createReceiver(file).secrets()).toEqual([]);
  });

  it.each(['', 'whsec_', 'whsec_short', SECRET.replace('whsec_', ''), `${SECRET} `])(
    'trusts no secret like %j',
    (secret) => {
      expect(() => createReceiver().trust(secret)).toThrow(RangeError);
    },
  );
});
