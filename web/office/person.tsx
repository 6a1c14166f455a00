import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { money } from '../shared/format.ts';
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
import { officeTexts } from '../texts/office.ts';
import { nameOf, STATUS_KINDS } from './names.ts';
import { PersonCommands } from './person-commands.tsx';
import { Verified } from './whose.tsx';

const { person: texts, people, wallet: walletTexts } = officeTexts;

type Detail = Schema['UserDetail'];

/** One person: who they are here, what they hold, where they work, and what can be changed. */
export default function PersonPage() {
  const client = useClient();
  const { userId = '' } = useParams();
  const [done, setDone] = useState<string>();
  const person = useQuery({
    queryKey: ['person', userId],
    queryFn: () => client.showUser({ userId }),
  });
  if (person.data === undefined) {
    return person.error === null ? <Skeleton /> : <ErrorNotice error={person.error} />;
  }
  return (
    <>
      <PageTitle back={{ href: '/people', text: officeTexts.pages.people }}>
        {nameOf(person.data)}
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

function Facts({ person }: { person: Detail }) {
  const { name, email, emailVerified, phone, role, status, createdAt } = person;
  return (
    <dl className="facts card">
      <dt>{texts.status}</dt>
      <dd>
        <Badge kind={STATUS_KINDS[status]}>{people.statuses[status]}</Badge>
      </dd>
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
      <dt>{texts.since}</dt>
      <dd>
        <Moment iso={createdAt} />
      </dd>
    </dl>
  );
}

function Wallets({ wallets }: Pick<Detail, 'wallets'>) {
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

function Memberships({ memberships }: Pick<Detail, 'memberships'>) {
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
