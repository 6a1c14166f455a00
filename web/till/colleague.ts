import { tillTexts } from '../texts/en/till.ts';

/** What a colleague is called: by their name, else by what of their address is shown. */
export function nameOf(colleague: { name: string | null; email: string | null }): string {
  return colleague.name ?? colleague.email ?? tillTexts.today.somebody;
}
