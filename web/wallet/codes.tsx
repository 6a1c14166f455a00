import { Link } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { Badge, ButtonLink, EmptyState, Moment, Points } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import { useOnline } from '../shared/use-online.ts';
import { type PagedList, usePages } from '../shared/use-pages.ts';
import { worthOf } from '../shared/worth.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import type { Redemption } from './queries.ts';
import { NotKept } from './visits.tsx';

const { codes: texts } = walletTexts;

/** All codes that somebody ever got, and what became of them. */
export function CodesPage() {
  const client = useClient();
  const codes = usePages(['redemptions', 'all'], () => client.all.listRedemptions({}));
  const isKept = useOnline() || codes.items !== undefined;
  return (
    <>
      <PageTitle>{texts.title}</PageTitle>
      {isKept ? <Codes codes={codes} /> : <NotKept />}
    </>
  );
}

function Codes({ codes }: { codes: PagedList<Redemption> }) {
  return (
    <PagedItems list={codes} empty={<NoCodes />} label={texts.list}>
      {(code) => (
        <Link className="entry entry-link" href={`/codes/${code.id}`}>
          <span>{code.tenant.name}</span>
          <strong>{worthOf(code)}</strong>
          <span className="muted">
            <Moment iso={code.issuedAt} />
            {' · '}
            <Points points={code.points} />
          </span>
          <StatusOf code={code} />
        </Link>
      )}
    </PagedItems>
  );
}

function NoCodes() {
  const action = <ButtonLink href="/">{texts.toPoints}</ButtonLink>;
  return <EmptyState picture="codes" title={texts.empty} text={texts.emptyHow} action={action} />;
}

function StatusOf({ code }: { code: Redemption }) {
  const { status: words } = texts;
  if (code.cancelled) return <Badge kind="plain">{words.cancelled}</Badge>;
  const kind = { issued: 'good', used: 'plain', expired: 'warn' } as const;
  return <Badge kind={kind[code.status]}>{words[code.status]}</Badge>;
}
