import { describe, expect, it } from 'vitest';
import { contradictions, missingKeys } from '../../domain/safe-settings.ts';

describe('missingKeys', () => {
  const signing = 'STATEMENT_SIGNING_KEY';
  const publics = 'STATEMENT_PUBLIC_KEYS';
  it.each([
    { process: 'whoever signs', read: [signing], set: [], lacks: signing },
    { process: 'whoever signs, with its key', read: [signing], set: [signing], lacks: null },
    { process: 'an API', read: ['PORT', publics], set: [], lacks: publics },
    { process: 'an API with the public half', read: [publics], set: [publics], lacks: null },
    { process: 'one that signs and serves', read: [publics, signing], set: [], lacks: signing },
    { process: 'it with its key', read: [publics, signing], set: [signing], lacks: null },
    { process: 'it without its key', read: [publics, signing], set: [publics], lacks: signing },
    { process: 'one that needs none', read: ['PORT'], set: [], lacks: null },
  ])('of $process: $lacks', ({ read, set, lacks }) => {
    const given = Object.fromEntries(set.map((name) => [name, 'ab']));
    expect(missingKeys({ ...given, NODE_ENV: 'development' }, read)).toEqual([]);
    expect(missingKeys(given, read)).toEqual([]);
    const why = 'is required while NODE_ENV is production: .env.example says how to make it';
    const missing = missingKeys({ ...given, NODE_ENV: 'production' }, read);
    expect(missing).toEqual(lacks === null ? [] : [`${lacks} ${why}`]);
  });
});

describe('contradictions in production', () => {
  const provider = { environment: 'POS_ENVIRONMENT', overrides: [], appId: 'POS_APP_ID' };

  it.each([
    { environment: 'production', allows: 'true', isRefused: true },
    { environment: 'production', allows: 'false', isRefused: false },
    { environment: 'production', allows: undefined, isRefused: false },
    { environment: 'sandbox', allows: 'true', isRefused: false },
  ])('webhooks to this machine: $allows in $environment', ({ environment, allows, isRefused }) => {
    const settings = { POS_ENVIRONMENT: environment, WEBHOOK_ALLOW_LOOPBACK: allows };
    const message = 'WEBHOOK_ALLOW_LOOPBACK is refused while POS_ENVIRONMENT is production';
    expect(contradictions(settings, [provider])).toEqual(isRefused ? [message] : []);
  });

  it.each([
    'points@example.com',
    'points@EXAMPLE.org',
    'points@mail.example.net',
    'Points <points@example.com>',
    'Points <points@example.com>  ',
    'points@example.com ',
  ])('no mail is sent as "%s"', (from) => {
    expect(contradictions({ NODE_ENV: 'production', MAIL_FROM: from }, [])).toEqual([
      'MAIL_FROM is of a domain for examples, whose mail is refused: use one of yours',
    ]);
    expect(contradictions({ NODE_ENV: 'development', MAIL_FROM: from }, [])).toEqual([]);
    expect(contradictions({ MAIL_FROM: from }, [])).toEqual([]);
  });

  it.each([
    undefined,
    'Points <points@shop.de>',
    'points@notexample.com',
    'points@example.community',
    'points@example.com.br',
    'points@example.de',
    'me@example.com <points@shop.de>',
  ])('mail may be sent as "%s"', (from) => {
    expect(contradictions({ NODE_ENV: 'production', MAIL_FROM: from }, [])).toEqual([]);
  });
});
