import type { components } from '../../sdk/index.ts';

export type Application = components['schemas']['Application'];
export type ApplicationDraft = { [Name in keyof Application]-?: string };

const PHONE = /^\+?[\d ()./-]{5,30}$/;

/** What is typed first: what was said before, or nothing. */
export function draftOf(said: Application | undefined): ApplicationDraft {
  const { shopName = '', phone = '', website = '', reason = '' } = said ?? {};
  return { shopName, phone, website, reason };
}

/** Returns what is sent, or which of the fields cannot be. */
export function readDraft(
  draft: ApplicationDraft,
): { application: Application } | { wrong: readonly ('phone' | 'website')[] } {
  const [phone, website] = [draft.phone.trim(), addressOf(draft.website.trim())];
  const wrong = [
    ...(PHONE.test(phone) ? [] : (['phone'] as const)),
    ...(website === undefined ? (['website'] as const) : []),
  ];
  if (website === undefined || wrong.length > 0) return { wrong };
  const { shopName, reason } = draft;
  return { application: { shopName, phone, reason, ...(website !== '' && { website }) } };
}

/** Nobody types the beginning of an address. Undefined for what is none. */
function addressOf(typed: string): string | undefined {
  if (typed === '') return '';
  const address = `https://${typed.replace(/^https?:\/\//i, '')}`;
  return URL.canParse(address) && /^[^/]+\.[^/]+$/.test(new URL(address).hostname)
    ? address
    : undefined;
}
