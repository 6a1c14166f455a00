import type { Schema } from '../shared/client.tsx';
import { money, number } from '../shared/format.ts';
import { commonTexts } from '../texts/common.ts';
import { officeTexts } from '../texts/office.ts';
import { nameOf } from './names.ts';

type Person = { name?: string | null; email: string | null; phone: string | null };
const TONES = 6;

/** Somebody's initial on a ground of their own, so that two tabs of two people look different. */
export function Avatar({ person }: { person: Person }) {
  const [first = '?'] = person.name ?? nameOf(person);
  return (
    <span className="initial" data-tone={toneOf(nameOf(person))} aria-hidden="true">
      {first.toUpperCase()}
    </span>
  );
}

function toneOf(text: string): number {
  return (
    [...text].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) % 9_973, 0) % TONES
  );
}

/** Whose wallet it is that something is done to, where, and what it holds. */
export function Whose({ wallet }: { wallet: Schema['OwnedWallet'] }) {
  const { owner, tenant, balance, worthMinorUnits, currency } = wallet;
  return (
    <div className="whose">
      <Avatar person={owner} />
      <div>
        <strong>{nameOf(owner)}</strong>
        {owner.name !== null && owner.name !== nameOf(owner) && <p>{owner.name}</p>}
        <p className="muted">{officeTexts.wallet.at(tenant.name)}</p>
        <p>
          {commonTexts.points(balance, number(balance))}
          {', '}
          {officeTexts.wallet.worth(money(worthMinorUnits, currency))}
        </p>
      </div>
    </div>
  );
}
