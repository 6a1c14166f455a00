import { z } from 'zod';

// The forms of settings, whichever part of the service they belong to.

export const port = z.coerce.number().int().min(1).max(65535);
export const seconds = z.coerce.number().int().min(1).max(86_400);
export const count = z.coerce.number().int().min(1).max(100_000);
export const text = z.string().trim().min(1);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

export const list = z
  .string()
  .default('')
  .transform((value) => value.split(',').map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ''));

/** The base of addresses, without a slash at its end. */
export const origin = z
  .url({ protocol: /^https?$/ })
  .transform((value) => value.replace(/\/+$/, ''));

/** Of mail: the server, who it is from, and where administrators have their addresses. */
export const mail = {
  // Without its slashes, an address names no host, and mail would go to this machine.
  server: z.url({ protocol: /^smtps?$/, hostname: /./ }),
  sender: z
    .string()
    .trim()
    .regex(/[^\s<>@]@[^\s<>@]/, 'must be an address, or Name <address>'),
  // With an @, or of several, no address would ever be in it.
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[^\s@,;:/]+$/, 'must be one domain, such as shop.example'),
};
