import type { Audience } from './tags.ts';

const APPS = `Consumers earn points with payments at a merchant’s point of sale, and redeem them
there.

[Build an app](/docs/build-an-app) shows how to sign in, page, repeat requests safely and read
errors, with code that runs.

- **Sign-in.** Send an access token of the identity provider as \`Authorization: Bearer …\`. What a
  user may do follows from the role: \`consumer\`, \`client\` (a merchant), \`pos_operator\` (at a
  shop’s till) or \`admin\`. Each operation names its roles.
- **Money.** Points and amounts are integers; amounts are in minor units of the stated currency. A
  point is worth one minor unit. Times are ISO 8601 in UTC.
- **Lists** are bare arrays. While there are more pages, \`Link\` holds the address of the next one.
- **Repeating.** Where \`Idempotency-Key\` is taken (\`x-idempotency-key\`), send one with each
  request and repeat it after a failure: the work is done once.
- **Errors** share one body. \`code\` says which kind; \`issues[].code\` says what exactly, for a
  program. New codes and new fields of answers may come at any time.
- **Limits.** \`RateLimit\` says in every answer what is left of a minute’s requests. After 429
  wait for \`Retry-After\` seconds.`;

const INTERNAL = `What providers, schedulers and probes call, and where these documents and pages
are. Apps need none of it: theirs is [openapi.json](/api/v1/openapi.json).`;

/** The title and the first words of each document. */
export const INTRODUCTIONS: Readonly<Record<Audience, { title: string; description: string }>> = {
  apps: { title: 'Loyalty points', description: APPS },
  internal: { title: 'Loyalty points: internal routes', description: INTERNAL },
};
