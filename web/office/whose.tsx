import type { Schema } from '../shared/client.tsx';
import { money } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Badge } from '../shared/ui/basics.tsx';
import { officeTexts } from '../texts/en/office.ts';
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

/** Whether the identity provider vouches for somebody's e-mail address. */
export function Verified({ is }: { is: boolean }) {
  const { verified, unverified } = officeTexts.approvals;
  return <Badge kind={is ? 'good' : 'warn'}>{is ? verified : unverified}</Badge>;
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
          {pointsText(balance)}
          {', '}
          {officeTexts.wallet.worth(money(worthMinorUnits, currency))}
        </p>
      </div>
    </div>
  );
}
