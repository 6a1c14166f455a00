import type { Role, UserStatus } from './roles.ts';

export type Person = {
  role: Role;
  status: UserStatus;
  email: string | null;
  emailVerified: boolean;
};

export type DenialCode = 'SUSPENDED' | 'ADMIN_EMAIL_REQUIRED' | 'PENDING_APPROVAL';

/** Why a person may not use the service, most serious first; undefined when they may. */
export function denialCode(person: Person, adminEmailDomain: string): DenialCode | undefined {
  if (person.status === 'suspended') return 'SUSPENDED';
  if (person.role === 'admin' && !isInDomain(person, adminEmailDomain)) {
    return 'ADMIN_EMAIL_REQUIRED';
  }
  if (person.status === 'pending_approval') return 'PENDING_APPROVAL';
  return undefined;
}

/** Whether the person's verified e-mail belongs to the domain; a sub-domain is another domain. */
export function isInDomain(
  person: Pick<Person, 'email' | 'emailVerified'>,
  domain: string,
): boolean {
  if (person.email === null || !person.emailVerified) return false;
  return person.email.slice(person.email.lastIndexOf('@') + 1) === domain.toLowerCase();
}
