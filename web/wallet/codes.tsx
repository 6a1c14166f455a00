import { Link } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { Badge, Moment, Money, Points } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { walletTexts } from '../texts/wallet.ts';
import type { Redemption } from './queries.ts';

const { codes: texts } = walletTexts;

/** All codes that somebody ever got, and what became of them. */
export function CodesPage() {
  const client = useClient();
  const codes = usePages(['redemptions', 'all'], () => client.all.listRedemptions({}));
  return (
    <>
      <PageTitle>{texts.title}</PageTitle>
      <PagedItems list={codes} empty={texts.empty} label={texts.list}>
        {(code) => (
          <Link className="entry entry-link" href={`/codes/${code.id}`}>
            <span>{code.tenant.name}</span>
            <strong>
              <Money minorUnits={code.discountValueMinorUnits} currency={code.currency} />
            </strong>
            <span className="muted">
              <Moment iso={code.issuedAt} />
              {' · '}
              <Points points={code.points} />
            </span>
            <StatusOf code={code} />
          </Link>
        )}
      </PagedItems>
    </>
  );
}

function StatusOf({ code }: { code: Redemption }) {
  const { status: words } = texts;
  if (code.cancelled) return <Badge kind="plain">{words.cancelled}</Badge>;
  const kind = { issued: 'good', used: 'plain', expired: 'warn' } as const;
  return <Badge kind={kind[code.status]}>{words[code.status]}</Badge>;
}
