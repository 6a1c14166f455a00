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

describe('denialCode', () => {
  it.each([
    { person: {}, code: undefined, because: 'a consumer needs no domain' },
    { person: { role: 'client' }, code: undefined, because: 'a merchant needs none' },
    { person: { role: 'pos_operator' }, code: undefined, because: 'an operator needs none' },
    { person: { role: 'admin', ...staff }, code: undefined, because: 'the domain is right' },
    {
      person: { email: null, emailVerified: false },
      code: undefined,
      because: 'the role needs no e-mail',
    },
    { person: { role: 'admin' }, code: 'ADMIN_EMAIL_REQUIRED', because: 'the domain is wrong' },
    { person: { role: 'admin', email: null }, code: 'ADMIN_EMAIL_REQUIRED', because: 'no e-mail' },
    {
      person: { role: 'admin', ...staff, emailVerified: false },
      code: 'ADMIN_EMAIL_REQUIRED',
      because: 'the e-mail is not verified',
    },
    { person: { status: 'pending_approval' }, code: 'PENDING_APPROVAL', because: 'it is pending' },
    { person: { status: 'suspended' }, code: 'SUSPENDED', because: 'it is suspended' },
    {
      person: { role: 'admin', status: 'suspended' },
      code: 'SUSPENDED',
      because: 'suspension takes precedence',
    },
    {
      person: { role: 'admin', status: 'pending_approval' },
      code: 'ADMIN_EMAIL_REQUIRED',
      because: 'the domain is checked before the approval',
    },
    {
      person: { role: 'admin', status: 'pending_approval', ...staff },
      code: 'PENDING_APPROVAL',
      because: 'the domain is right',
    },
  ] as const)('returns $code for $person: $because', ({ person, code }) => {
    expect(denialCode(aPerson(person), DOMAIN)).toBe(code);
  });

  it.each(['consumer', 'client', 'pos_operator'] satisfies Role[])(
    'returns undefined for a %s without an e-mail',
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
      because: 'case is ignored',
    },
    {
      email: 'ada@eu.staff.example',
      domain: 'staff.example',
      is: false,
      because: 'it is a subdomain',
    },
    {
      email: 'ada@notstaff.example',
      domain: 'staff.example',
      is: false,
      because: 'the domain only ends alike',
    },
    {
      email: 'ada@staff.example.evil',
      domain: 'staff.example',
      is: false,
      because: 'the domain only begins alike',
    },
    {
      email: 'staff.example@evil.example',
      domain: 'staff.example',
      is: false,
      because: 'only the local part matches',
    },
    {
      email: '"ada@staff.example"@evil.example',
      domain: 'staff.example',
      is: false,
      because: 'the domain follows the last @',
    },
    {
      email: 'staff.example',
      domain: 'staff.example',
      is: true,
      because: 'callers pass only normalised e-mails',
    },
    { email: null, domain: 'staff.example', is: false, because: 'it is missing' },
  ])('returns $is for $email and $domain because $because', ({ email, domain, is }) => {
    expect(isInDomain({ email, emailVerified: true }, domain)).toBe(is);
    expect(isInDomain({ email, emailVerified: false }, domain)).toBe(false);
  });
});
