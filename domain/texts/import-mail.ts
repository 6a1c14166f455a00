import type { ImportStatus, RowCounts } from '../imports.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { formatCount } from './mail-formats.ts';
import { english, type MailTexts } from './mail-texts.ts';

/** What became of an import. */
export type ImportEnd = RowCounts & {
  tenantName: string;
  status: ImportStatus;
  notTaken: number;
  frontendUrl: string;
};

/** The mail that tells a tenant's owners what became of the members they uploaded. */
export function importMail(
  { tenantName, status, notTaken, frontendUrl, ...counts }: ImportEnd,
  texts: MailTexts = english,
): MailContent {
  const { language, import: its } = texts;
  const shop = oneLine(tenantName);
  const isReverted = status === 'reverted';
  const points = texts.points(notTaken, formatCount(notTaken, language));
  const told = (['matched', 'waiting', 'repeated'] as const).flatMap((name) => {
    const count = counts[name];
    const customers = texts.customers(count, formatCount(count, language));
    return count === 0 ? [] : its[name]({ customers, count });
  });
  const reverted = [its.reverted, ...(notTaken === 0 ? [] : [its.notTaken({ points })])];
  return {
    language,
    subject: isReverted ? its.revertedSubject({ shop }) : its.subject({ shop }),
    shop: { name: shop, logoUrl: null },
    blocks: [
      ...(isReverted ? reverted : told).map(paragraph),
      { type: 'link', label: its.link, url: `${frontendUrl}/portal/imports` },
    ],
  };
}
