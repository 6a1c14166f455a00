import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { UserId } from '../../../domain/ids.ts';
import { createStopLinks } from '../../../gateways/crypto/stop-links.ts';

const keyOf = (byte: number) => ({ id: `k${byte}`, key: Buffer.alloc(32, byte) });
const stopped = { userId: UserId.parse(randomUUID()), kind: 'weekly' } as const;
const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

it('a link says whose mails of which kind are to end', () => {
  const links = createStopLinks([keyOf(1)], 'https://api.shop.example');
  const url = links.urlOf(stopped);
  expect(url).toMatch(/^https:\/\/api\.shop\.example\/api\/v1\/notices\/stop\?token=[\w.-]+$/);
  expect(links.read(tokenOf(url))).toEqual(stopped);
});

it('a link of an older key is read, one of a key that is gone is not', () => {
  const token = tokenOf(createStopLinks([keyOf(1)], 'https://a.example').urlOf(stopped));
  expect(createStopLinks([keyOf(2), keyOf(1)], '').read(token)).toEqual(stopped);
  expect(createStopLinks([keyOf(2)], '').read(token)).toBeUndefined();
});

it('what was changed is not read', () => {
  const links = createStopLinks([keyOf(1)], 'https://a.example');
  const token = tokenOf(links.urlOf(stopped));
  const changed = [
    token.replace('weekly', 'points'),
    token.replace(stopped.userId, randomUUID()),
    token.slice(0, -1),
    `${token}A`,
    'weekly',
    '',
  ];
  expect(changed.map((each) => links.read(each))).toEqual(changed.map(() => undefined));
});
