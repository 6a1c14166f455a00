import { z } from 'zod';
import { ShopName } from './onboarding.ts';

const MAX_WEBSITE = 300;
const MAX_REASON = 500;

/** What somebody sends of the shop for which they ask to become a merchant. */
export const ApplicationFields = z.object({
  shopName: ShopName,
  phone: z
    .string()
    .trim()
    .regex(/^\+?[\d ()./-]{5,30}$/, 'must be a phone number')
    .describe('Under which the shop can be asked; nothing is matched by it.'),
  website: z
    .url({ protocol: /^https$/, hostname: z.regexes.domain })
    .max(MAX_WEBSITE)
    .optional()
    .describe('Of the shop, if it has one.'),
  reason: z.string().trim().min(1).max(MAX_REASON).describe('Why, in a sentence.'),
});

/** What is kept of it. */
export const Application = ApplicationFields.meta({ id: 'Application' });
export type Application = z.infer<typeof Application>;
