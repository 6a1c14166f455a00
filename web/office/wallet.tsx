import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { moment, money, number } from '../shared/format.ts';
import { AuditList } from '../shared/ui/audit-list.tsx';
import { Badge, ErrorNotice, Moment, Notice, Section, Skeleton } from '../shared/ui/basics.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { officeTexts } from '../texts/en/office.ts';
import { ActorAndTarget } from './audit-people.tsx';
import { nameOf } from './names.ts';
import { WalletCommands } from './wallet-commands.tsx';
import { Whose } from './whose.tsx';

const { wallet: texts } = officeTexts;
const { columns } = texts;

type Wallet = Schema['OwnedWallet'];
type Entry = Schema['LedgerEntry'];

/** One wallet: what it holds, how that came about, and what can be done by hand. */
export default function WalletPage() {
  const client = useClient();
  const { walletId = '' } = useParams();
  const [done, setDone] = useState<string>();
  const wallet = useQuery({
    queryKey: ['wallet', walletId],
    queryFn: () => client.showUserWallet({ walletId }),
  });
  if (wallet.data === undefined) {
    return wallet.error === null ? <Skeleton /> : <ErrorNotice error={wallet.error} />;
  }
  const { owner, userId, currency } = wallet.data;
  return (
    <>
      <PageTitle back={{ href: `/people/${userId}`, text: nameOf(owner) }}>
        {texts.of(nameOf(owner))}
      </PageTitle>
      {done !== undefined && <Notice kind="good">{done}</Notice>}
      <Holding wallet={wallet.data} />
      <WalletCommands wallet={wallet.data} onDone={setDone} />
      <Entries walletId={walletId} currency={currency} />
      <p>
        <Link href={`/audit?target=${walletId}`}>{texts.audit}</Link>
      </p>
    </>
  );
}

function Holding({ wallet }: { wallet: Wallet }) {
  const { status, redeemable, tenant, updatedAt } = wallet;
  return (
    <section className="card" aria-label={texts.holding}>
      <Whose wallet={wallet} />
      <Badge kind={status === 'active' ? 'good' : 'warn'}>{texts.statuses[status]}</Badge>
      <dl className="facts">
        <dt>{texts.shop}</dt>
        <dd>
          <Link href={`/shops/${tenant.id}`}>{tenant.name}</Link>
        </dd>
        <dt>{texts.redeemable}</dt>
        <dd>{redeemable.max === 0 ? texts.nothing : texts.upTo(number(redeemable.max))}</dd>
        <dt>{texts.changed}</dt>
        <dd>
          <Moment iso={updatedAt} />
        </dd>
      </dl>
    </section>
  );
}

function Entries({ walletId, currency }: { walletId: string; currency: string | null }) {
  const client = useClient();
  const [asked, setAsked] = useState<Entry>();
  const entries = usePages(['entries', walletId], () =>
    client.all.listUserWalletHistory({ walletId }),
  );
  return (
    <Section title={texts.entries}>
      <PagedTable
        list={entries}
        empty={texts.empty}
        label={texts.entries}
        keyOf={({ id }) => id}
        columns={[
          { title: columns.when, cell: ({ createdAt }) => <Moment iso={createdAt} /> },
          { title: columns.what, cell: (entry) => <What entry={entry} onAsk={setAsked} /> },
          { title: columns.points, cell: signed, isNumber: true },
          {
            title: columns.worth,
            cell: ({ points }) => money(points, currency),
            isNumber: true,
          },
          {
            title: columns.after,
            cell: ({ balanceAfter }) => number(balanceAfter),
            isNumber: true,
          },
        ]}
      />
      <Dialog isOpen={asked !== undefined} onClose={() => setAsked(undefined)} title={texts.why}>
        {asked !== undefined && <Correction entry={asked} />}
      </Dialog>
    </Section>
  );
}

function signed({ entry_type: type, points }: Entry): string {
  return (type === 'credit' ? '+' : '−') + number(points);
}

function What({ entry, onAsk }: { entry: Entry; onAsk(entry: Entry): void }) {
  const what = texts.reasons[entry.reason];
  if (entry.reason !== 'admin_adjustment') return what;
  return (
    <>
      {what}{' '}
      <button
        type="button"
        className="link"
        aria-label={texts.whyOf(moment(entry.createdAt))}
        onClick={() => onAsk(entry)}
      >
        {texts.why}
      </button>
    </>
  );
}

/** Who corrected a balance, and why: the entry of the audit log that names the ledger's. */
function Correction({ entry }: { entry: Entry }) {
  const client = useClient();
  const at = new Date(entry.createdAt).getTime();
  const query = {
    target: entry.walletId,
    action: 'wallet.adjust',
    // Both are written in one transaction, at one time.
    from: new Date(at - 1_000).toISOString(),
    to: new Date(at + 1_000).toISOString(),
  } as const;
  const audit = usePages(['audit', query], () => client.all.listAuditLogs(query));
  const items = audit.items?.filter(({ after }) => after.ledgerEntryId === entry.id);
  return (
    <AuditList
      list={{ ...audit, items }}
      empty={texts.whyMissing}
      currencyOf={({ tenantCurrency }) => tenantCurrency}
      showsIds
    >
      {(one) => <ActorAndTarget entry={one} />}
    </AuditList>
  );
}
