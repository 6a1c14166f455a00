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
