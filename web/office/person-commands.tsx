import { useState } from 'react';
import { Link } from 'wouter';
import { useClient, useProfile } from '../shared/client.tsx';
import { Notice, Section } from '../shared/ui/basics.tsx';
import { SelectField } from '../shared/ui/fields.tsx';
import { officeTexts } from '../texts/en/office.ts';
import { Approve } from './approve.tsx';
import { Command } from './command.tsx';
import { Erasing } from './erasing.tsx';
import { nameOf } from './names.ts';
import { isErased, type Person } from './person-data.ts';

const { person: texts, people, approve, role: roleTexts, suspend, reinstate } = officeTexts;
const { suspendShop } = officeTexts;

type Props = { person: Person; changes: readonly string[][]; onDone(text: string): void };
const ROLES = ['consumer', 'client', 'pos_operator', 'admin'] as const;

/** What an administrator can change about an account that is not their own. */
export function PersonCommands({ person, onDone }: Omit<Props, 'changes'>) {
  const profile = useProfile();
  const changes = [['person', person.userId], ['people'], ['audit']];
  const props = { person, changes, onDone };
  if (profile.data?.userId === person.userId) {
    return (
      <Section title={texts.account}>
        <p className="muted">{texts.own}</p>
      </Section>
    );
  }
  if (isErased(person)) {
    return (
      <Section title={texts.account}>
        <p className="muted">{officeTexts.erase.gone}</p>
      </Section>
    );
  }
  return (
    <Section title={texts.account}>
      <div className="button-row">
        {person.status === 'pending_approval' && (
          <Approve person={person} onDone={() => onDone(approve.done(nameOf(person)))} />
        )}
        <ChangeRole {...props} />
        {person.status === 'suspended' ? <Reinstate {...props} /> : <Suspend {...props} />}
        <Erasing {...props} />
      </div>
      {person.status === 'suspended' && <OwnShops person={person} />}
    </Section>
  );
}

/** The shops of a suspended owner, which go on until they are suspended as well. */
function OwnShops({ person }: { person: Person }) {
  const own = person.memberships.filter(({ role }) => role === 'owner');
  if (own.length === 0) return null;
  return (
    <Notice kind="plain">
      <p>{suspendShop.ofOwner}</p>
      {own.map(({ tenantId, name }) => (
        <p key={tenantId}>
          <Link href={`/shops/${tenantId}`}>{name}</Link>
        </p>
      ))}
    </Notice>
  );
}

function ChangeRole({ person, changes, onDone }: Props) {
  const client = useClient();
  const { userId, status } = person;
  const [role, setRole] = useState(person.role);
  return (
    <Command
      open={roleTexts.open}
      title={roleTexts.title(nameOf(person))}
      submit={roleTexts.submit}
      // A merchant who is made one again has to be approved again.
      isDisabled={role === person.role}
      input={{ role }}
      send={(body, attempt) => client.setUserRole({ userId, body }, attempt)}
      changes={changes}
      onDone={() => onDone(roleTexts.done(people.roles[role]))}
    >
      <SelectField
        label={roleTexts.label}
        hint={role === person.role ? roleTexts.same : roleTexts.meanings[role]}
        value={role}
        options={ROLES.map((value) => ({ value, text: people.roles[value] }))}
        onValue={setRole}
      />
      {person.role === 'pos_operator' && role !== 'pos_operator' && <p>{roleTexts.leaves}</p>}
      {status === 'suspended' && role === 'client' && <p>{roleTexts.lifts}</p>}
    </Command>
  );
}

function Suspend({ person, changes, onDone }: Props) {
  const client = useClient();
  return (
    <Command
      open={suspend.open}
      title={suspend.title(nameOf(person))}
      submit={suspend.submit}
      isDangerous
      input={{}}
      send={(body, attempt) => client.suspendUser({ userId: person.userId, body }, attempt)}
      changes={changes}
      onDone={() => onDone(suspend.done)}
    >
      <p>{suspend.what}</p>
    </Command>
  );
}

function Reinstate({ person, changes, onDone }: Props) {
  const client = useClient();
  return (
    <Command
      open={reinstate.open}
      title={reinstate.title(nameOf(person))}
      submit={reinstate.submit}
      input={{}}
      send={(body, attempt) => client.reinstateUser({ userId: person.userId, body }, attempt)}
      changes={changes}
      onDone={() => onDone(reinstate.done)}
    >
      <p>{reinstate.what}</p>
    </Command>
  );
}
