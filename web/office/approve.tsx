import { type Schema, useClient } from '../shared/client.tsx';
import { officeTexts } from '../texts/office.ts';
import { Command } from './command.tsx';
import { nameOf } from './names.ts';

const { approve: texts } = officeTexts;

/** Lets in somebody who waits. */
export function Approve(props: { person: Schema['FoundUser']; onDone(): void }) {
  const client = useClient();
  const { person, onDone } = props;
  const who = nameOf(person);
  return (
    <Command
      open={texts.open}
      label={texts.of(who)}
      title={texts.title(who)}
      submit={texts.submit}
      input={{}}
      send={(body, attempt) => client.approveUser({ userId: person.userId, body }, attempt)}
      changes={[['people'], ['person', person.userId], ['audit']]}
      onDone={onDone}
    >
      <p>{person.role === 'client' ? texts.client : texts.other}</p>
    </Command>
  );
}
