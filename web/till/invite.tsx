import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { isLoyaltyError } from '../../sdk/index.ts';
import { type Schema, useClient } from '../shared/client.tsx';
import { SignInButton } from '../shared/gate.tsx';
import {
  Badge,
  Button,
  CommandNotice,
  ErrorNotice,
  Notice,
  Skeleton,
} from '../shared/ui/basics.tsx';
import { Frame, PageTitle } from '../shared/ui/frame.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { commonTexts } from '../texts/en/common.ts';
import { tillTexts } from '../texts/en/till.ts';
import { rememberShop, tillAfterJoining } from './shop.tsx';

const { invite: texts } = tillTexts;

type Profile = Schema['UserProfile'];
type Invite = Schema['OwnInvite'];

/** What an invite's mail leads to: who invites, what it means, a decision, and the way on. */
export function InvitePage({ profile }: { profile: Profile }) {
  const { inviteId } = useParams();
  return (
    <Frame title={tillTexts.title} pages={[]}>
      <PageTitle>{texts.title}</PageTitle>
      {inviteId === undefined ? (
        <>
          <Invites invites={profile.pendingInvites} />
          <WayOut profile={profile} />
        </>
      ) : (
        <OneInvite inviteId={inviteId} profile={profile} />
      )}
    </Frame>
  );
}

function OneInvite({ inviteId, profile }: { inviteId: string; profile: Profile }) {
  const client = useClient();
  const [, go] = useLocation();
  const invite = useQuery({
    queryKey: ['invite', inviteId],
    queryFn: () => client.showInvite({ inviteId }),
  });
  const changes = [['profile'], ['context'], ['invite', inviteId]];
  const accept = useSubmit({
    send: (_: undefined, attempt) => client.acceptInvite({ inviteId }, attempt),
    changes,
    // Who already stands at a till stays there.
    onDone: () => {
      if (isAtTill(profile) && invite.data) go(tillAfterJoining(invite.data.tenantId));
    },
  });
  const decline = useSubmit({
    send: (_: undefined, attempt) => client.declineInvite({ inviteId }, attempt),
    changes,
  });
  if (invite.data === undefined) {
    if (invite.error === null) return <Skeleton />;
    const isUnknown = isLoyaltyError(invite.error) && invite.error.status === 404;
    return isUnknown ? (
      <NotYours profile={profile} />
    ) : (
      <ErrorNotice error={invite.error} retry={invite.refetch} />
    );
  }
  const { status, tenantId, tenantName } = invite.data;
  const tenantIds = accept.result?.tenantIds ?? profile.tenantIds;
  if (status === 'accepted' && tenantIds.includes(tenantId))
    return <Accepted invite={invite.data} />;
  if (status !== 'pending') {
    return (
      <>
        <Notice kind="plain">{texts.over[status](tenantName)}</Notice>
        <WayOut profile={profile} />
      </>
    );
  }
  return (
    <>
      <p className="invite-from">{texts.from(tenantName)}</p>
      <p>{texts.means}</p>
      <p className="muted">{texts.signedInAs(profile.email)}</p>
      <CommandNotice command={accept} />
      <CommandNotice command={decline} />
      <div className="at-hand">
        <Button
          kind="primary"
          size="big"
          isRunning={accept.isRunning}
          onClick={() => accept.submit(undefined)}
        >
          {texts.accept}
        </Button>
        <Button size="big" isRunning={decline.isRunning} onClick={() => decline.submit(undefined)}>
          {texts.decline}
        </Button>
      </div>
    </>
  );
}

function Accepted({ invite: { tenantId, tenantName } }: { invite: Invite }) {
  return (
    <Notice kind="good">
      <p>{texts.accepted(tenantName)}</p>
      <Link className="button button-primary" href="/till/" onClick={() => rememberShop(tenantId)}>
        {texts.toTill}
      </Link>
    </Notice>
  );
}

/** An invite to another address, or one that was never made. */
function NotYours({ profile }: { profile: Profile }) {
  return (
    <>
      <Notice kind="plain">{texts.none}</Notice>
      <p className="muted">{texts.signedInAs(profile.email)}</p>
      <div className="at-hand">
        <SignInButton size="big">{commonTexts.signInAsSomebodyElse}</SignInButton>
      </div>
      <Invites invites={profile.pendingInvites} />
      <WayOut profile={profile} />
    </>
  );
}

/** Where somebody goes on who has nothing to decide here: to their till, or to their points. */
export function WayOut({ profile }: { profile: Profile }): ReactNode {
  if (isAtTill(profile)) return <Link href="/till/">{texts.toTill}</Link>;
  return profile.role === 'consumer' ? <a href="/wallet/">{texts.toPoints}</a> : null;
}

/** Whether somebody works at a till. */
export function isAtTill({ role, tenantIds }: Profile): boolean {
  return role === 'pos_operator' && tenantIds.length > 0;
}

/** That invites wait for somebody, which leads to them; nothing while there are none. */
export function InvitesLink({ invites }: { invites: readonly Schema['PendingInvite'][] }) {
  const [first, ...others] = invites;
  if (first === undefined) return null;
  return (
    <Link
      className="invites-link"
      href={others.length === 0 ? `~/invites/${first.inviteId}` : '~/invites'}
    >
      <Badge kind="warn">{texts.count(invites.length)}</Badge>
    </Link>
  );
}

/** The invites that wait for somebody. */
export function Invites({ invites }: { invites: readonly Schema['PendingInvite'][] }) {
  if (invites.length === 0) return null;
  return (
    <section className="section">
      <h2>{texts.open}</h2>
      <ul className="cards">
        {invites.map(({ inviteId, tenantName }) => (
          <li key={inviteId}>
            <Link className="card" href={`~/invites/${inviteId}`}>
              {texts.of(tenantName)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
