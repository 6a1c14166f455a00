import type { WalletId } from '../ids.ts';
import type { Language } from '../language.ts';
import { oneLine } from './mail-content.ts';
import { formatNumber } from './mail-formats.ts';
import { mailTextsIn } from './mail-texts.ts';

/** What a phone shows: a sentence, which names nobody, and leads to a wallet. */
type PushContent = {
  language: Language | null;
  shopName: string;
  walletId: WalletId;
  /** Of two with the same, a phone shows the later one. */
  tag: string;
};

/** The message that points came to a wallet, as the service worker of the wallet reads it. */
export function pointsPush({ points: count, ...content }: PushContent & { points: number }) {
  const { language, points, notices } = mailTextsIn(content.language);
  const words = {
    shop: oneLine(content.shopName),
    points: points(count, formatNumber(count, language)),
  };
  return payloadOf(content, notices.push.points(words));
}

/** The message that a code was used. */
export function usedCodePush(content: PushContent) {
  const { notices } = mailTextsIn(content.language);
  return payloadOf(content, notices.push.used({ shop: oneLine(content.shopName) }));
}

function payloadOf({ tag, walletId, language }: PushContent, title: string): string {
  const path = `/wallet/wallets/${walletId}`;
  return JSON.stringify({ title, tag, path, language: language ?? 'en' });
}
