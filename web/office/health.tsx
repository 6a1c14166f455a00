import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Schema, useClient, useServiceClock } from '../shared/client.tsx';
import { age, ago } from '../shared/format.ts';
import { providers } from '../shared/providers.ts';
import { Badge, ErrorNotice, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { healthTexts as texts } from '../texts/en/health.ts';

type Health = Schema['ServiceHealth'];
type Ailing = Schema['AilingConnection'];

const ASK_AGAIN_MS = 15_000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** What is longer than this is late: as in the alerts for those who run the service. */
const LATE = {
  pending: 10 * MINUTE,
  work: 15 * MINUTE,
  sending: 15 * MINUTE,
  hourly: 3 * HOUR,
  verified: 30 * HOUR,
};

/** Says what is wrong with the service, at which shop, and what to do next. */
export default function HealthPage() {
  const client = useClient();
  const health = useQuery({
    queryKey: ['health'],
    queryFn: () => client.showServiceHealth({}),
    refetchInterval: ASK_AGAIN_MS,
    // Whoever comes back to it wants to know how it is now.
    staleTime: 0,
  });
  return (
    <>
      <PageTitle>{texts.title}</PageTitle>
      <p className="muted">{texts.lead}</p>
      <ErrorNotice error={health.error} retry={health.refetch} />
      {health.isPending && <Skeleton shape="rows" />}
      {health.data !== undefined && health.error === null && <Lines health={health.data} />}
    </>
  );
}

function Lines({ health }: { health: Health }) {
  const lines = linesOf(health);
  const isGood = lines.every((line) => line.isGood);
  return (
    <>
      {isGood && <Notice kind="good">{texts.good}</Notice>}
      <ul className="items" aria-label={texts.title}>
        {lines.map(({ name, isGood: isFine, next, details }) => (
          <li key={name} className="row">
            <div>
              <strong>{name}</strong>
              {!isFine && <p>{next}</p>}
              {details}
            </div>
            <Badge kind={isFine ? 'good' : 'bad'}>{isFine ? texts.fine : texts.wrong}</Badge>
          </li>
        ))}
      </ul>
    </>
  );
}

type Line = { name: string; isGood: boolean; next: string; details?: ReactNode };

function linesOf(health: Health): Line[] {
  const { lines } = texts;
  const { connections, events, overdueWork, webhooks, jobs, ledger, backups } = health;
  const late = overdueWork.filter(({ seconds }) => seconds > LATE.work);
  const isLate = (seconds: number | null, most: number) => seconds !== null && seconds > most;
  return [
    { ...lines.database, isGood: health.postgres },
    { ...lines.background, isGood: health.temporal },
    ailing(lines.lost, connections.lost),
    ailing(lines.away, connections.away, true),
    ailing(lines.unpolled, connections.unpolled, true),
    { ...lines.pending, isGood: events.oldestPendingSeconds <= LATE.pending },
    { ...lines.stuck, isGood: events.poisoned + events.givenUp === 0 },
    {
      ...lines.work,
      isGood: late.length === 0,
      details: late.map(({ kind, seconds }) => (
        <p key={kind} className="muted">
          {texts.work(texts.kinds[kind], lasting(seconds))}
        </p>
      )),
    },
    { ...lines.sending, isGood: webhooks.waitSeconds <= LATE.sending },
    {
      ...lines.receivers,
      isGood: webhooks.failing.length === 0,
      details: webhooks.failing.map(({ endpointId, isDisabled, ...of }) => (
        <Shop key={endpointId} {...of} what={isDisabled ? texts.off : texts.failing} />
      )),
    },
    { ...lines.maintenance, isGood: !isLate(jobs.maintenanceSeconds, LATE.hourly) },
    { ...lines.statements, isGood: !isLate(jobs.statementsSeconds, LATE.hourly) },
    { ...lines.verified, isGood: !isLate(ledger.verifiedSeconds, LATE.verified) },
    { ...lines.ledger, isGood: ledger.problems === 0 },
    ...(backups === null ? [] : [backedUp(backups)]),
  ];
}

function backedUp(backups: NonNullable<Health['backups']>): Line {
  const { logSeconds, copySeconds, checkSeconds, aged } = backups;
  const { log, copy, check } = texts.backups;
  return {
    ...texts.lines.backups,
    isGood: aged.length === 0,
    details: (
      <p className="muted">
        {[log(past(logSeconds)), copy(past(copySeconds)), check(past(checkSeconds))].join(' · ')}
      </p>
    ),
  };
}

function ailing(
  line: Omit<Line, 'isGood'>,
  connections: readonly Ailing[],
  isWhenAsked = false,
): Line {
  return {
    ...line,
    isGood: connections.length === 0,
    details: connections.map(({ posType, ...of }) => (
      <Shop
        key={`${of.tenantId} ${posType}`}
        {...of}
        what={providers[posType].label}
        isWhenAsked={isWhenAsked}
      />
    )),
  };
}

function Shop(of: {
  tenantId: string;
  tenantName: string;
  what: string;
  since: string;
  /** Whether it was asked then; otherwise it has been so from then on. */
  isWhenAsked?: boolean;
}) {
  const { tenantId, tenantName, what, since, isWhenAsked = false } = of;
  const now = useServiceClock().now();
  return (
    <p>
      <Link href={`/shops/${tenantId}`}>{tenantName}</Link>{' '}
      <span className="muted">
        {isWhenAsked ? texts.tried(what, ago(since, now)) : texts.lasting(what, age(since, now))}
      </span>
    </p>
  );
}

/** So many seconds in words. */
function lasting(seconds: number): string {
  return age(START, seconds * 1000);
}

/** So many seconds ago, in words. */
function past(seconds: number): string {
  return ago(START, seconds * 1000);
}

/** From which seconds are counted, whatever the clock says. */
const START = new Date(0).toISOString();
