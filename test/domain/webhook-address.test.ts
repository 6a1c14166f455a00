import { describe, expect, it } from 'vitest';
import { literalIn, mayCall, problemWithUrl } from '../../domain/webhook-address.ts';

const NOT_PUBLIC = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0177.0.0.1/',
  'https://0x7f.0.0.1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://①②⑦.0.0.1/',
  'https://127.0.0.1./',
  'https://0.0.0.0/',
  'https://0/',
  'https://10.0.0.1/',
  'https://012.0.0.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://0xa9fea9fe/',
  'https://172.16.0.1/',
  'https://192.0.0.1/',
  'https://192.0.2.1/',
  'https://192.88.99.1/',
  'https://192.168.1.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[::ffff:0:8.8.8.8]/',
  'https://[::8.8.8.8]/',
  'https://[64:ff9b::8.8.8.8]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:a00:1::]/',
  'https://[2001:0:a00:1::]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[fd00:ec2::254]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[5f00::1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://shop.localhost/',
  'https://a.b.localhost./',
];
const MUST_BE_PUBLIC = 'must lead to a public address';
const addressOf = (length: number) => 'https://shop.example/'.padEnd(length, 'x');
const REFUSED = [
  { problem: 'must begin with https:', urls: ['http://shop.example/', 'ftp://shop.example/'] },
  {
    problem: 'must not contain a user or password',
    urls: [
      'https://user@shop.example/',
      'https://:word@shop.example/',
      'https://a:b@shop.example/',
    ],
  },
  {
    problem: 'must be an address such as https://shop.example/hooks',
    urls: ['not an address', '', 'shop.example/hooks'],
  },
  { problem: 'must have at most 2048 characters', urls: [addressOf(2_049)] },
  { problem: MUST_BE_PUBLIC, urls: NOT_PUBLIC },
].flatMap(({ problem, urls }) => urls.map((url) => ({ problem, url })));

describe('the address of an endpoint', () => {
  it.each(REFUSED)('$problem: $url', ({ url, problem }) => {
    expect(problemWithUrl(url, false)).toBe(problem);
  });

  it.each([
    'https://shop.example/hooks?token=1',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:8443/',
    'https://localhost.example/',
    addressOf(2_048),
  ])('is taken: %s', (url) => expect(problemWithUrl(url, false)).toBeUndefined());

  it.each(['http://127.0.0.1:3000/', 'http://[::1]/', 'http://localhost:8080/', 'https://127.1/'])(
    'may be this machine where that is allowed: %s',
    (url) => expect(problemWithUrl(url, true)).toBeUndefined(),
  );

  it.each([
    { url: 'https://192.168.1.1/', problem: MUST_BE_PUBLIC },
    { url: 'http://10.0.0.1/', problem: 'must begin with https:' },
    { url: 'http://0.0.0.0/', problem: 'must begin with https:' },
    { url: 'http://shop.example/', problem: 'must begin with https:' },
    { url: 'ftp://localhost/', problem: 'must begin with https:' },
  ])('is refused even there: $url', ({ url, problem }) => {
    expect(problemWithUrl(url, true)).toBe(problem);
  });

  it('is a name or a literal, of which no form of another is called', () => {
    expect(literalIn('[::1]')).toBe('::1');
    for (const host of ['shop.example', '1[2.3.4.5]', '[1.2.3.4]5']) {
      expect(literalIn(host)).toBeUndefined();
    }
    expect(mayCall('::ffff:127.0.0.1', true)).toBe(false);
    expect(mayCall('127.9.9.9', true)).toBe(true);
    expect(mayCall('no address', true)).toBe(false);
  });
});
