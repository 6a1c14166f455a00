import { type FormEvent, useEffect, useState } from 'react';
import type { Result } from '../../sdk/index.ts';
import { useClient, useServiceClock } from '../shared/client.tsx';
import { grouped, minorUnitsOf, money, timeOfDay } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Button, CommandNotice, DrawnCheck, Notice } from '../shared/ui/basics.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { MemberField } from '../shared/ui/member-field.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { addDays, clockOf, dayOf, momentAt } from '../shared/zone.ts';
import { tillTexts } from '../texts/en/till.ts';
import { useShop } from './shop.tsx';

const { member: texts } = tillTexts;

type Member = Result<'lookupMember'>;
type Sale = Result<'findAnonymousSales'>[number];

/** Gives a customer the points of the sale whose receipt they hold: who, which one, and done. */
export default function MemberSale({ scanned }: { scanned: string | undefined }) {
  const [member, setMember] = useState<Member>();
  const [points, setPoints] = useState<number>();
  if (member === undefined) return <WhoIsIt scanned={scanned} onFound={setMember} />;
  if (points === undefined) return <TheirSale member={member} onDone={setPoints} />;
  return (
    <div role="status" className="member-done">
      <DrawnCheck />
      <p className="amount">{pointsText(points)}</p>
      <p>{points === 0 ? texts.nothing : texts.done(member.initials)}</p>
    </div>
  );
}

/** Whose card it is. A number that was scanned is looked up at once. */
function WhoIsIt(props: { scanned: string | undefined; onFound(member: Member): void }) {
  const { scanned = '', onFound } = props;
  const client = useClient();
  const { id: shop } = useShop();
  const [text, setText] = useState(scanned);
  const look = useSubmit({
    send: (member: string, { signal }) =>
      client.lookupMember({ body: { member } }, { shop, signal }),
    changes: [],
    onDone: onFound,
  });
  const { submit } = look;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was scanned.
  useEffect(() => {
    if (scanned !== '') submit(scanned);
  }, [scanned]);
  return (
    <form className="section" onSubmit={sending(() => submit(text))}>
      <p>{texts.ask}</p>
      <MemberField
        label={texts.number}
        unknown={texts.unknown}
        value={text}
        onText={setText}
        command={look}
      />
      <Button kind="primary" size="big" type="submit" isRunning={look.isRunning}>
        {texts.look}
      </Button>
    </form>
  );
}

/** Which sale the receipt is of: found by its amount and its time. */
function TheirSale({ member, onDone }: { member: Member; onDone(points: number): void }) {
  const client = useClient();
  const { id: shop, currency } = useShop();
  const [amount, setAmount] = useState('');
  const clock = useServiceClock();
  const [time, setTime] = useState(() => clockOf(new Date(clock.now())));
  const [problem, setProblem] = useState<string>();
  const [found, setFound] = useState<readonly Sale[]>();
  const search = useSubmit({
    send: (query: { amountMinorUnits: number; at: string }, { signal }) =>
      client.findAnonymousSales(query, { shop, signal }),
    changes: [],
    onDone: setFound,
  });
  const change = (set: (text: string) => void) => (text: string) => {
    setProblem(undefined);
    setFound(undefined);
    // What is still on its way would be of what was written before.
    search.cancel();
    search.reset();
    set(text);
  };
  const submit = () => {
    const amountMinorUnits = currency === null ? undefined : minorUnitsOf(amount, currency);
    if (!amountMinorUnits) return setProblem(texts.noAmount);
    search.submit({ amountMinorUnits, at: lastTimeOf(time, new Date(clock.now())).toISOString() });
  };
  return (
    <>
      <p>{texts.who(member.initials, grouped(member.memberNumber))}</p>
      <form className="section" onSubmit={sending(submit)}>
        <p className="muted">{texts.receipt}</p>
        <TextField
          label={texts.amount(currency ?? '')}
          problem={problem}
          value={amount}
          onText={change(setAmount)}
          inputMode="decimal"
          autoComplete="off"
          required
        />
        <TextField label={texts.time} type="time" value={time} onText={change(setTime)} required />
        <CommandNotice command={search} />
        <Button type="submit" size="big" isRunning={search.isRunning}>
          {texts.find}
        </Button>
      </form>
      {found?.length === 0 && <Notice kind="plain">{texts.none}</Notice>}
      {found !== undefined && found.length > 0 && (
        <Found sales={found} member={member} onDone={onDone} />
      )}
    </>
  );
}

function Found(props: { sales: readonly Sale[]; member: Member; onDone(points: number): void }) {
  const { sales, member, onDone } = props;
  const client = useClient();
  const { id: shop } = useShop();
  const attach = useSubmit({
    send: ({ transactionId }: Sale, { signal }) =>
      client.attachSaleAtTill(
        { transactionId, body: { member: member.memberNumber } },
        { shop, signal },
      ),
    // The sheet of the day counts it.
    changes: [['used', shop]],
    onDone: ({ points }) => onDone(points),
  });
  return (
    <>
      <CommandNotice command={attach} />
      <ul className="items" aria-label={texts.found}>
        {sales.map((sale) => (
          <li key={sale.transactionId} className="member-sale">
            <span>
              <strong>{money(sale.amountMinorUnits, sale.currency)}</strong>{' '}
              {texts.sale(timeOfDay(sale.occurredAt), sale.receipt)}
              {sale.refundedMinorUnits > 0 && (
                <span className="muted">
                  {' '}
                  {texts.refunded(money(sale.refundedMinorUnits, sale.currency))}
                </span>
              )}
            </span>
            <Button kind="primary" isRunning={attach.isRunning} onClick={() => attach.submit(sale)}>
              {texts.give}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

function sending(submit: () => void) {
  return (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
}

/** A point of sale may be ahead of us by that much. */
const AHEAD_MS = 5 * 60_000;

/** When it was last that time of day by the clocks of the shop, or is in a moment. */
function lastTimeOf(time: string, now: Date): Date {
  const today = dayOf(now);
  const at = momentAt(`${today}T${time}`);
  return at.getTime() - now.getTime() > AHEAD_MS ? momentAt(`${addDays(today, -1)}T${time}`) : at;
}
