import type { ImportStatus, RowCounts } from '../imports.ts';
import type { Language } from '../language.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { formatNumber } from './mail-formats.ts';
import { mailTextsIn } from './mail-texts.ts';

/** What became of an import. */
export type ImportEnd = RowCounts & {
  tenantName: string;
  status: ImportStatus;
  notTaken: number;
  frontendUrl: string;
  language: Language | null;
};

/** The mail that tells a tenant's owners what became of the members they uploaded. */
export function importMail({
  tenantName,
  status,
  notTaken,
  frontendUrl,
  ...end
}: ImportEnd): MailContent {
  const texts = mailTextsIn(end.language);
  const { language, import: its } = texts;
  const shop = oneLine(tenantName);
  const isReverted = status === 'reverted';
  const points = texts.points(notTaken, formatNumber(notTaken, language));
  const told = (['matched', 'waiting', 'repeated'] as const).flatMap((name) => {
    const count = end[name];
    const customers = texts.customers(count, formatNumber(count, language));
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
