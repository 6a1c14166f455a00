import { describe, expect, it } from 'vitest';
import { literalIn, mayCall, problemWithUrl } from '../../domain/webhook-address.ts';

const NOT_PUBLIC = [
  'http://shop.example/',
  'ftp://shop.example/',
  'https://user@shop.example/',
  'https://user:word@shop.example/',
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
  'not an address',
  `https://shop.example/${'x'.repeat(2_048)}`,
];

describe('the address of an endpoint', () => {
  it.each(NOT_PUBLIC)('is refused: %s', (url) => {
    expect(problemWithUrl(url, false)).toEqual(expect.any(String));
  });

  it.each([
    'https://shop.example/hooks?token=1',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:8443/',
    'https://localhost.example/',
  ])('is taken: %s', (url) => expect(problemWithUrl(url, false)).toBeUndefined());

  it.each(['http://127.0.0.1:3000/', 'http://[::1]/', 'http://localhost:8080/', 'https://127.1/'])(
    'may be this machine where that is allowed: %s',
    (url) => expect(problemWithUrl(url, true)).toBeUndefined(),
  );

  it.each(['http://10.0.0.1/', 'https://192.168.1.1/', 'http://shop.example/', 'http://0.0.0.0/'])(
    'is refused even there: %s',
    (url) => expect(problemWithUrl(url, true)).toEqual(expect.any(String)),
  );

  it('is a name or a literal, of which no form of another is called', () => {
    expect(literalIn('[::1]')).toBe('::1');
    expect(literalIn('shop.example')).toBeUndefined();
    expect(mayCall('::ffff:127.0.0.1', true)).toBe(false);
    expect(mayCall('127.9.9.9', true)).toBe(true);
    expect(mayCall('no address', true)).toBe(false);
  });
});
