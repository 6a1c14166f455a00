import { expect, it } from 'vitest';
import { WalletId } from '../../../domain/ids.ts';
import { pointsPush, usedCodePush } from '../../../domain/texts/pushes.ts';

const walletId = WalletId.parse('00000000-0000-4000-8000-000000000007');
const content = { shopName: 'Corner\nCafé', walletId, tag: 'T1' };

it.each([
  [null, 'en', 'You got 1,250 points at Corner Café', 'A code of yours was used at Corner Café'],
  [
    'de',
    'de',
    'Du hast 1.250 Punkte bei Corner Café bekommen',
    'Bei Corner Café wurde ein Code von dir eingelöst',
  ],
] as const)('to who reads %j is in %s, leads to the wallet and says it: %s', (...row) => {
  const [reads, language, came, used] = row;
  const rest = { tag: 'T1', path: `/wallet/wallets/${walletId}`, language };
  const points = pointsPush({ ...content, language: reads, points: 1_250 });
  expect(JSON.parse(points)).toEqual({ title: came, ...rest });
  const code = usedCodePush({ ...content, language: reads });
  expect(JSON.parse(code)).toEqual({ title: used, ...rest });
});
