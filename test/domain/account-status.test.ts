import { describe, expect, it } from 'vitest';
import { denialCode, isInDomain, type Person } from '../../domain/account-status.ts';
import type { Role } from '../../domain/roles.ts';

const DOMAIN = 'staff.example';
const aPerson = (some: Partial<Person> = {}): Person => ({
  role: 'consumer',
  status: 'active',
  email: 'ada@shop.example',
  emailVerified: true,
  ...some,
});
const staff = { email: `ada@${DOMAIN}` };

describe('standingCode', () => {
  it.each([
    { person: {}, code: undefined, because: 'an active consumer may come from anywhere' },
    { person: { role: 'client' }, code: undefined, because: 'so may a merchant' },
    { person: { role: 'pos_operator' }, code: undefined, because: 'and an operator' },
    { person: { role: 'admin', ...staff }, code: undefined, because: 'an admin of the domain' },
    {
      person: { email: null, emailVerified: false },
      code: undefined,
      because: 'an e-mail is no duty',
    },
    { person: { role: 'admin' }, code: 'ADMIN_EMAIL_REQUIRED', because: 'an admin from elsewhere' },
    { person: { role: 'admin', email: null }, code: 'ADMIN_EMAIL_REQUIRED', because: 'no e-mail' },
    {
      person: { role: 'admin', ...staff, emailVerified: false },
      code: 'ADMIN_EMAIL_REQUIRED',
      because: 'it is not verified',
    },
    { person: { status: 'pending_approval' }, code: 'PENDING_APPROVAL', because: 'it is pending' },
    { person: { status: 'suspended' }, code: 'SUSPENDED', because: 'it is suspended' },
    {
      person: { role: 'admin', status: 'suspended' },
      code: 'SUSPENDED',
      because: 'suspension is the most serious',
    },
    {
      person: { role: 'admin', status: 'pending_approval' },
      code: 'ADMIN_EMAIL_REQUIRED',
      because: 'the domain comes before the approval',
    },
    {
      person: { role: 'admin', status: 'pending_approval', ...staff },
      code: 'PENDING_APPROVAL',
      because: 'the domain is right',
    },
  ] as const)('$code: $because', ({ person, code }) => {
    expect(denialCode(aPerson(person), DOMAIN)).toBe(code);
  });

  it.each(['consumer', 'client', 'pos_operator'] satisfies Role[])(
    'asks no %s for an e-mail of the domain',
    (role) => {
      expect(denialCode(aPerson({ role, email: null }), DOMAIN)).toBeUndefined();
    },
  );
});

describe('isInDomain', () => {
  it.each([
    { email: 'ada@staff.example', domain: 'staff.example', is: true, because: 'it is that domain' },
    {
      email: 'ada@staff.example',
      domain: 'Staff.Example',
      is: true,
      because: 'case does not count',
    },
    {
      email: 'ada@eu.staff.example',
      domain: 'staff.example',
      is: false,
      because: 'a sub-domain is another',
    },
    {
      email: 'ada@notstaff.example',
      domain: 'staff.example',
      is: false,
      because: 'the end alone is not enough',
    },
    {
      email: 'ada@staff.example.evil',
      domain: 'staff.example',
      is: false,
      because: 'nor the beginning',
    },
    {
      email: 'staff.example@evil.example',
      domain: 'staff.example',
      is: false,
      because: 'nor the local part',
    },
    {
      email: '"ada@staff.example"@evil.example',
      domain: 'staff.example',
      is: false,
      because: 'the last @ counts',
    },
    {
      email: 'staff.example',
      domain: 'staff.example',
      is: true,
      because: 'callers pass normalised e-mails only',
    },
    { email: null, domain: 'staff.example', is: false, because: 'there is none' },
  ])('$email in $domain: $is, $because', ({ email, domain, is }) => {
    expect(isInDomain({ email, emailVerified: true }, domain)).toBe(is);
    expect(isInDomain({ email, emailVerified: false }, domain)).toBe(false);
  });
});
