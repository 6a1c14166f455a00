import { portalTexts } from '../texts/en/portal.ts';

/** How a shop may see a consumer: by the masked address that it is shown. */
export function nameOf(consumer: { email: string | null; phone: string | null } | null): string {
  return consumer?.email ?? consumer?.phone ?? portalTexts.unknown;
}
