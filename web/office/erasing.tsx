import { useClient, useProfile } from '../shared/client.tsx';
import { moment } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { officeTexts } from '../texts/en/office.ts';
import { Command } from './command.tsx';
import { nameOf } from './names.ts';
import type { Person } from './person-data.ts';

const { erase, keep } = officeTexts;

type Props = { person: Person; changes: readonly string[][]; onDone(text: string): void };

/** Has a customer or staff erased, or withdraws that; nothing for those who cannot be. */
export function Erasing({ person, changes, onDone }: Props) {
  const client = useClient();
  const { data: profile } = useProfile();
  const { userId, role, erasure, wallets } = person;
  const who = nameOf(person);
  if (erasure !== null) {
    return (
      <Command
        open={keep.open}
        title={keep.title(who)}
        submit={keep.submit}
        reason="none"
        input={{}}
        send={(_, { signal }) => client.withdrawErasureOf({ userId }, { signal })}
        changes={changes}
        onDone={() => onDone(keep.done)}
      >
        <p>{keep.what}</p>
      </Command>
    );
  }
  if (profile?.hasProgrammes !== true) return null;
  if (role !== 'consumer' && role !== 'pos_operator') return null;
  const points = wallets.reduce((sum, { balance }) => sum + balance, 0);
  return (
    <Command
      open={erase.open}
      title={erase.title(who)}
      submit={erase.submit}
      isDangerous
      reason="required"
      input={{}}
      send={({ reason = '' }, attempt) => client.eraseUser({ userId, body: { reason } }, attempt)}
      changes={changes}
      onDone={() => onDone(erase.done)}
    >
      <p>{erase.what}</p>
      <p>{erase.until}</p>
      {points > 0 && <p>{erase.points(pointsText(points))}</p>}
    </Command>
  );
}

/** What is said of an erasure that is scheduled, runs or is done. */
export function erasureText({ status, at }: NonNullable<Person['erasure']>): string {
  return erase.statuses[status](moment(at));
}
