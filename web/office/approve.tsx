import { type Schema, useClient } from '../shared/client.tsx';
import { officeTexts } from '../texts/en/office.ts';
import { Command } from './command.tsx';
import { nameOf } from './names.ts';

const { approve, turnDown } = officeTexts;

type Props = { person: Schema['FoundUser']; onDone(): void };
const changesOf = ({ userId }: Props['person']) => [['people'], ['person', userId], ['audit']];

/** Lets in somebody who waits. */
export function Approve({ person, onDone }: Props) {
  const client = useClient();
  const who = nameOf(person);
  return (
    <Command
      open={approve.open}
      label={approve.of(who)}
      title={approve.title(who)}
      submit={approve.submit}
      input={{}}
      send={(body, attempt) => client.approveUser({ userId: person.userId, body }, attempt)}
      changes={changesOf(person)}
      onDone={onDone}
    >
      <p>{person.role === 'client' ? approve.client : approve.other}</p>
    </Command>
  );
}

/** Sends somebody away who waits. There is no refusal of its own: their account is suspended. */
export function TurnDown({ person, onDone }: Props) {
  const client = useClient();
  const who = nameOf(person);
  return (
    <Command
      open={turnDown.open}
      label={turnDown.of(who)}
      title={turnDown.title(who)}
      submit={turnDown.submit}
      isDangerous
      input={{}}
      send={(body, attempt) => client.suspendUser({ userId: person.userId, body }, attempt)}
      changes={changesOf(person)}
      onDone={onDone}
    >
      <p>{turnDown.what}</p>
    </Command>
  );
}
