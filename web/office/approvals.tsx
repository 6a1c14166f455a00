import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { age } from '../shared/format.ts';
import { EmptyState, ErrorNotice, Moment, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { officeTexts } from '../texts/en/office.ts';
import { Applied } from './applied.tsx';
import { Approve, TurnDown } from './approve.tsx';
import { countryOf, nameOf, SEARCH_MAX } from './names.ts';
import { Avatar, Verified } from './whose.tsx';

const { approvals: texts } = officeTexts;

type Person = Schema['FoundUser'];

/** Those who wait until an administrator lets them in, and what there is to decide by. */
export function ApprovalsPage() {
  const client = useClient();
  const [decided, setDecided] = useState<string>();
  const waiting = useQuery({
    queryKey: ['people', ''],
    queryFn: () => client.searchUsers({ q: '' }),
    select: (found) => found.filter(({ status }) => status === 'pending_approval'),
  });
  return (
    <>
      <PageTitle>{texts.title}</PageTitle>
      <p className="muted">{texts.lead}</p>
      {decided !== undefined && <Notice kind="good">{decided}</Notice>}
      <ErrorNotice error={waiting.error} retry={waiting.refetch} />
      {waiting.data === undefined && waiting.error === null && <Skeleton shape="cards" />}
      {waiting.data?.length === 0 && <EmptyState picture="done" title={texts.empty} />}
      {waiting.data !== undefined && waiting.data.length > 0 && (
        <ul className="queue" aria-label={texts.list}>
          {waiting.data.map((person, place) => (
            <li key={person.userId}>
              <Application
                person={person}
                isNext={decided !== undefined && place === 0}
                onDecided={setDecided}
              />
            </li>
          ))}
        </ul>
      )}
      {waiting.data?.length === SEARCH_MAX && <p className="muted">{texts.many(SEARCH_MAX)}</p>}
    </>
  );
}

function Application(props: { person: Person; isNext: boolean; onDecided(text: string): void }) {
  const { person, isNext, onDecided } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  // After a decision, whoever decides by keyboard goes on with the next one; not at once, because
  // the dialog that closes gives the focus back first.
  useEffect(() => {
    const frame = isNext ? requestAnimationFrame(() => heading.current?.focus()) : 0;
    return () => cancelAnimationFrame(frame);
  }, [isNext]);
  const who = nameOf(person);
  return (
    <article className="card application">
      <div className="whose">
        <Avatar person={person} />
        <div>
          <h2 ref={heading} tabIndex={-1}>
            <Link href={`/people/${person.userId}`}>{who}</Link>
          </h2>
          {person.email !== null && <Verified is={person.emailVerified} />}
        </div>
      </div>
      <Facts person={person} />
      <div className="button-row">
        <Approve person={person} onDone={() => onDecided(officeTexts.approve.done(who))} />
        <TurnDown person={person} onDone={() => onDecided(officeTexts.turnDown.done(who))} />
      </div>
    </article>
  );
}

function Facts({ person }: { person: Person }) {
  const { name, phone, role, shop, application, createdAt } = person;
  return (
    <dl className="facts">
      <dt>{texts.asks}</dt>
      <dd>{texts.wishes[role]}</dd>
      <dt>{texts.name}</dt>
      <dd>{name ?? texts.notSaid}</dd>
      <dt>{texts.phone}</dt>
      <dd>{phone ?? texts.notSaid}</dd>
      {(shop !== null || application === null) && (
        <>
          <dt>{texts.shop}</dt>
          <dd>{shop === null ? texts.noShop : [shop.name, countryOf(shop.country)].join(', ')}</dd>
        </>
      )}
      <Applied application={application} />
      <dt>{texts.waits}</dt>
      <dd>
        {age(createdAt, Date.now())}
        {', '}
        {texts.since} <Moment iso={createdAt} />
      </dd>
    </dl>
  );
}
