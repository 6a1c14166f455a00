import { z } from 'zod';

/** A secret as it may be stored: `v1.<key id>.<base64url>`. Only a sealer makes one. */
export const Sealed = z
  .string()
  .regex(/^v1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/)
  .brand<'Sealed'>();
export type Sealed = z.infer<typeof Sealed>;
