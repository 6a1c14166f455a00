/** The people of every sandbox; others are added on the sign-in page. */
export const PERSON_NAMES = ['consumer', 'merchant', 'operator', 'admin'] as const;
export type PersonName = (typeof PERSON_NAMES)[number];

/** The domain that the sandbox sets as ADMIN_EMAIL_DOMAIN. */
export const ADMIN_EMAIL_DOMAIN = 'loyalty.example';

/** A person at the identity provider, with the names of the token's claims. */
export type Person = {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  phone_number?: string;
  phone_number_verified?: boolean;
  /** Claims that only the provider's operator can set: the role that the person requests. */
  app_metadata?: { role: 'client' };
};

export type People = Readonly<Record<PersonName, Person & { phone_number: string }>>;

/** The four people of the sandbox. */
export const PEOPLE: People = {
  consumer: {
    sub: 'sandbox-consumer',
    name: 'Ada Byron',
    email: 'ada@example.com',
    email_verified: true,
    phone_number: '+12125550101',
    phone_number_verified: true,
  },
  merchant: {
    sub: 'sandbox-merchant',
    name: 'Mary Somerville',
    email: 'merchant@example.com',
    email_verified: true,
    phone_number: '+12125550102',
    phone_number_verified: true,
    app_metadata: { role: 'client' },
  },
  operator: {
    sub: 'sandbox-operator',
    name: 'George Boole',
    email: 'operator@example.com',
    email_verified: true,
    phone_number: '+12125550103',
    phone_number_verified: true,
  },
  admin: {
    sub: 'sandbox-admin',
    name: 'Grace Hopper',
    email: `admin@${ADMIN_EMAIL_DOMAIN}`,
    email_verified: true,
    phone_number: '+12125550104',
    phone_number_verified: true,
  },
};

/** Whether the text names one of the four people. */
export function isPersonName(text: string | undefined): text is PersonName {
  return PERSON_NAMES.some((name) => name === text);
}
