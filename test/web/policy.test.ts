import { describe, expect, it } from 'vitest';
import { appHeaders, appOf } from '../../web/policy.ts';

describe('appOf', () => {
  it.each([
    ['/wallet', 'wallet'],
    ['/wallet/', 'wallet'],
    ['/wallet/codes/1', 'wallet'],
    ['/office/people', 'office'],
    ['/pos', 'portal'],
    ['/pos/', 'portal'],
    ['/invites/1', 'till'],
    ['/invites', 'till'],
    ['/join/1', 'wallet'],
    ['/', undefined],
    ['/walletx', undefined],
    ['/position', undefined],
    ['/assets/wallet.js', undefined],
    ['/config.json', undefined],
  ])('%s is shown by %s', (path, app) => {
    expect(appOf(path)).toBe(app);
  });
});

describe('appHeaders', () => {
  const policyOf = (called: string[]) =>
    new Map(
      (appHeaders(called)['content-security-policy'] ?? '').split('; ').map((directive) => {
        const [name = '', ...values] = directive.split(' ');
        return [name, values] as const;
      }),
    );

  it('allow the origins that are called, and no others', () => {
    const policy = policyOf(['https://api.example', 'https://id.example']);
    const called = ["'self'", 'https://api.example', 'https://id.example'];
    expect(policy.get('connect-src')).toEqual(called);
    expect(policy.get('default-src')).toEqual(["'none'"]);
    const elsewhere = [...policy.values()].flat().filter((value) => value.includes('//'));
    expect(new Set(elsewhere)).toEqual(new Set(['https://api.example', 'https://id.example']));
  });

  it('allow nothing that is written into a page, and nobody to frame one', () => {
    const policy = policyOf([]);
    expect([...policy.values()].flat().join()).not.toMatch(/'unsafe-(inline|eval)'|data:|\*/);
    expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
    expect(policy.get('form-action')).toEqual(["'none'"]);
    expect(policy.get('base-uri')).toEqual(["'none'"]);
  });
});
