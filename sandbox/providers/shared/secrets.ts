import { randomBytes } from 'node:crypto';

/** Returns a new secret of 32 characters. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}
