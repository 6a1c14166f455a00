import { useState } from 'react';
import { useParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { Button, ErrorNotice, Notice } from '../shared/ui/basics.tsx';
import { Frame, PageTitle } from '../shared/ui/frame.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { tillTexts } from '../texts/till.ts';

const { invite: texts } = tillTexts;

type Profile = Schema['UserProfile'];
type Invite = Schema['PendingInvite'];

/** What an invite's mail leads to: who invites, what it means, and a decision. */
export function InvitePage({ profile }: { profile: Profile }) {
  const { inviteId } = useParams();
  // A decision takes the invite off the profile, and must stay on the screen.
  const [invite] = useState(() => profile.pendingInvites.find((one) => one.inviteId === inviteId));
  return (
    <Frame title={tillTexts.title} pages={[]}>
      <PageTitle>{texts.title}</PageTitle>
      {invite === undefined ? (
        <NoInvite profile={profile} inviteId={inviteId} />
      ) : (
        <Decision invite={invite} email={profile.email} />
      )}
    </Frame>
  );
}

function Decision({ invite, email }: { invite: Invite; email: string }) {
  const client = useClient();
  const { inviteId, tenantName } = invite;
  const accept = useSubmit({
    send: (_: undefined, attempt) => client.acceptInvite({ inviteId }, attempt),
    changes: [['profile'], ['context']],
  });
  const decline = useSubmit({
    send: (_: undefined, attempt) => client.declineInvite({ inviteId }, attempt),
    changes: [['profile']],
  });
  if (accept.result !== undefined) {
    return (
      <Notice kind="good">
        <p>{texts.accepted(tenantName)}</p>
        <a className="button button-primary" href="/till/">
          {texts.toTill}
        </a>
      </Notice>
    );
  }
  if (decline.result !== undefined) return <Notice kind="plain">{texts.declined}</Notice>;
  return (
    <>
      <p className="invite-from">{texts.from(tenantName)}</p>
      <p>{texts.means}</p>
      <p className="muted">{texts.signedInAs(email)}</p>
      <ErrorNotice error={accept.error ?? decline.error} />
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

function NoInvite({ profile, inviteId }: { profile: Profile; inviteId: string | undefined }) {
  return (
    <>
      {inviteId !== undefined && <Notice kind="plain">{texts.none}</Notice>}
      <p className="muted">{texts.signedInAs(profile.email)}</p>
      <Invites invites={profile.pendingInvites} />
    </>
  );
}

/** The invites that wait for somebody. */
export function Invites({ invites }: { invites: readonly Invite[] }) {
  if (invites.length === 0) return null;
  return (
    <section className="section">
      <h2>{texts.others}</h2>
      <ul className="cards">
        {invites.map(({ inviteId, tenantName }) => (
          <li key={inviteId}>
            <a className="card" href={`/invites/${inviteId}`}>
              {texts.open(tenantName)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
