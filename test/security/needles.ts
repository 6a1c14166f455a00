import type { Db } from '../../db/connection.ts';
import { CONNECTION_COLUMNS, type PosConnection } from '../../db/connections/pos-connections.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Sealer } from '../../gateways/crypto/sealer.ts';
import type { Needle } from './leak-scan.ts';

/** A shorter one would be found by chance. */
const SHORTEST = 8;
const SECRETS = [
  'CRON_SECRET',
  'VAPID_PRIVATE_KEY',
  'ALPHA_APP_SECRET',
  'ALPHA_WEBHOOK_SIGNATURE_KEY',
  'BETA_APP_SECRET',
  'BETA_WEBHOOK_SECRET',
  'AWS_SECRET_ACCESS_KEY',
  'IDENTITY_ADMIN_TOKEN',
  'TEMPORAL_API_KEY',
];
const ADDRESSES = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'SMTP_URL'];

/** The secrets among the settings of a process, and the passwords in its addresses. */
export function secretsIn(env: NodeJS.ProcessEnv): Needle[] {
  const secrets = SECRETS.flatMap((name) =>
    (env[name] ?? '').split(',').map((value) => ({ kind: name, value })),
  );
  const passwords = ADDRESSES.filter((name) => env[name] !== undefined).map((name) => ({
    kind: `password of ${name}`,
    value: decodeURIComponent(new URL(env[name] ?? '').password),
  }));
  const keys = (env.ENCRYPTION_KEY ?? '').split(',').flatMap((named) => {
    const [key = ''] = named.split(':').slice(-1);
    return [key, Buffer.from(key, 'hex').toString('base64')];
  });
  const all = [
    ...secrets,
    ...passwords,
    ...keys.map((value) => ({ kind: 'ENCRYPTION_KEY', value })),
  ];
  return all.filter(({ value }) => value.length >= SHORTEST);
}

/** An access token; its signature alone would do for whoever guesses the rest. */
export function tokenNeedles(kind: string, jwt: string): Needle[] {
  const signature = jwt.split('.')[2] ?? '';
  return [
    { kind, value: jwt },
    { kind: `${kind}'s signature`, value: signature },
  ];
}

/** The e-mails, phones and names of everybody whom the service knows or has invited. */
export async function peopleIn(db: Db): Promise<Needle[]> {
  const emails: string[] = await db('users').whereNotNull('email').pluck('email');
  const invited: string[] = await db('invites').pluck('email');
  const phones: string[] = await db('users').whereNotNull('phone').pluck('phone');
  const names: string[] = await db('users').whereNotNull('name').pluck('name');
  const all = [
    ...[...emails, ...invited].map((value) => ({ kind: 'e-mail', value })),
    ...phones.map((value) => ({ kind: 'phone', value })),
    ...names.map((value) => ({ kind: 'name', value })),
  ];
  return all.filter(({ value }) => value.length >= SHORTEST);
}

/** The tokens of the providers that are stored now. */
export async function providerTokensIn(db: Db, sealer: Sealer): Promise<Needle[]> {
  const connections = await db('pos_connections').select<PosConnection[]>(CONNECTION_COLUMNS);
  return connections.flatMap(({ tenantId, provider, sealedAccessToken, sealedRefreshToken }) => {
    const opened = (sealed: Sealed | null, field: string): Needle[] => {
      if (sealed === null) return [];
      const value = sealer.open(sealed, { tenantId, provider, field });
      return [{ kind: `${provider}'s ${field}`, value }];
    };
    return [
      ...opened(sealedAccessToken, 'access_token'),
      ...opened(sealedRefreshToken, 'refresh_token'),
    ];
  });
}
