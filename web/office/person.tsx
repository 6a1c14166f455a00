import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { age, money } from '../shared/format.ts';
import {
  Badge,
  ErrorNotice,
  Moment,
  Notice,
  Points,
  Section,
  Skeleton,
} from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { officeTexts } from '../texts/en/office.ts';
import { Applied } from './applied.tsx';
import { erasureText } from './erasing.tsx';
import { nameOf, STATUS_KINDS } from './names.ts';
import { PersonCommands } from './person-commands.tsx';
import { isErased, type Person, usePerson } from './person-data.ts';
import { Verified } from './whose.tsx';

const { person: texts, people, wallet: walletTexts } = officeTexts;

/** One person: who they are here, what they hold, where they work, and what can be changed. */
export default function PersonPage() {
  const { userId = '' } = useParams();
  const [done, setDone] = useState<string>();
  const person = usePerson(userId);
  if (person.data === undefined) {
    return person.error === null ? <Skeleton /> : <ErrorNotice error={person.error} />;
  }
  return (
    <>
      <PageTitle back={{ href: '/people', text: officeTexts.pages.people }}>
        {isErased(person.data) ? texts.erased : nameOf(person.data)}
      </PageTitle>
      {done !== undefined && <Notice kind="good">{done}</Notice>}
      <Facts person={person.data} />
      <PersonCommands person={person.data} onDone={setDone} />
      <Wallets wallets={person.data.wallets} />
      <Memberships memberships={person.data.memberships} />
      <Section title={officeTexts.pages.audit}>
        <p>
          <Link href={`/audit?targetUser=${userId}`}>{texts.happened}</Link>
        </p>
        <p>
          <Link href={`/audit?actor=${userId}`}>{texts.did}</Link>
        </p>
      </Section>
    </>
  );
}

function Facts({ person }: { person: Person }) {
  const { name, email, emailVerified, phone, role, status, application, createdAt, erasure } =
    person;
  return (
    <dl className="facts card">
      <dt>{texts.status}</dt>
      <dd>
        <Badge kind={STATUS_KINDS[status]}>
          {isErased(person) ? people.erased : people.statuses[status]}
        </Badge>
      </dd>
      {erasure !== null && (
        <>
          <dt>{officeTexts.erase.label}</dt>
          <dd>
            <strong>{erasureText(erasure)}</strong>
          </dd>
        </>
      )}
      <dt>{texts.role}</dt>
      <dd>{people.roles[role]}</dd>
      <dt>{texts.name}</dt>
      <dd>{name ?? texts.none}</dd>
      {email !== null && (
        <>
          <dt>{texts.email}</dt>
          <dd>
            <Verified is={emailVerified} />
          </dd>
        </>
      )}
      <dt>{texts.phone}</dt>
      <dd>{phone ?? texts.none}</dd>
      <Applied application={application} />
      <dt>{texts.since}</dt>
      <dd>
        <Moment iso={createdAt} />
        {status === 'pending_approval' && ` (${age(createdAt, Date.now())})`}
      </dd>
    </dl>
  );
}

function Wallets({ wallets }: Pick<Person, 'wallets'>) {
  return (
    <Section title={texts.wallets}>
      {wallets.length === 0 && <p className="empty">{texts.noWallets}</p>}
      {wallets.length > 0 && (
        <ul className="items" aria-label={texts.wallets}>
          {wallets.map(({ id, tenant, balance, worthMinorUnits, currency, status }) => (
            <li key={id}>
              <div className="row">
                <div>
                  <Link href={`/wallets/${id}`}>{walletTexts.title(tenant.name)}</Link>
                  <p className="muted">
                    <Points points={balance} />,{' '}
                    {walletTexts.worth(money(worthMinorUnits, currency))}
                  </p>
                </div>
                {status === 'frozen' && <Badge kind="warn">{walletTexts.statuses.frozen}</Badge>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Memberships({ memberships }: Pick<Person, 'memberships'>) {
  return (
    <Section title={texts.memberships}>
      {memberships.length === 0 && <p className="empty">{texts.noMemberships}</p>}
      {memberships.length > 0 && (
        <ul className="items" aria-label={texts.memberships}>
          {memberships.map(({ tenantId, name, role, joinedAt }) => (
            <li key={tenantId}>
              <div className="row">
                <Link href={`/shops/${tenantId}`}>{name}</Link>
                <span className="muted">
                  {texts.member[role]}, <Moment iso={joinedAt} />
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
