import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../shared/client.tsx';
import { money } from '../shared/format.ts';
import { providers } from '../shared/providers.ts';
import { Badge, Moment, Section } from '../shared/ui/basics.tsx';
import { itemOf, worthOf } from '../shared/worth.ts';
import { auditTexts } from '../texts/en/audit.ts';
import { officeTexts } from '../texts/en/office.ts';

const { ids: texts } = officeTexts;

type Found = Schema['FoundId'];
type Of<Kind extends Found['kind']> = Extract<Found, { kind: Kind }>;

/** What a code or an id is of: each says what it is, and leads to the page that shows it. */
export function FoundIds({ ids }: { ids: readonly Found[] }) {
  return (
    <Section title={texts.list}>
      <ul className="items" aria-label={texts.list}>
        {ids.map((found) => (
          <li key={found.kind === 'request' ? found.requestId : found.id} className="row">
            <FoundOne found={found} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function FoundOne({ found }: { found: Found }) {
  if (found.kind === 'transaction') return <FoundSale sale={found} />;
  if (found.kind === 'redemption') return <FoundCode code={found} />;
  return <FoundRequest request={found} />;
}

function FoundSale({ sale }: { sale: Of<'transaction'> }) {
  const { walletId, tenantId, provider, providerPaymentId, occurredAt } = sale;
  return (
    <Hit
      href={walletId === null ? `/shops/${tenantId}` : `/wallets/${walletId}`}
      what={texts.sale(money(sale.amountMinorUnits, sale.currency))}
      about={[
        sale.email ?? sale.phone ?? texts.unknown,
        sale.tenantName,
        texts.paymentId(providers[provider].label, providerPaymentId),
      ]}
      at={occurredAt}
    />
  );
}

function FoundCode({ code }: { code: Of<'redemption'> }) {
  const { walletId, status, cancelled, tenantName, createdAt } = code;
  return (
    <>
      <Hit
        href={`/wallets/${walletId}`}
        what={(itemOf(code) === undefined ? texts.code : texts.codeForItem)(worthOf(code))}
        about={[code.email ?? code.phone ?? officeTexts.people.nameless, tenantName]}
        at={createdAt}
      />
      <Badge kind={status === 'issued' ? 'good' : 'plain'}>
        {texts.statuses[cancelled ? 'cancelled' : status]}
      </Badge>
    </>
  );
}

function FoundRequest({ request }: { request: Of<'request'> }) {
  const { requestId, action, actorEmail, tenantName, createdAt } = request;
  return (
    <Hit
      href={`/audit?${new URLSearchParams({ request: requestId })}`}
      what={texts.request(auditTexts.actions[action])}
      about={[actorEmail, tenantName]}
      at={createdAt}
    />
  );
}

function Hit(props: {
  href: string;
  what: string;
  about: readonly (string | null)[];
  at: string;
}): ReactNode {
  return (
    <div>
      <Link href={props.href}>{props.what}</Link>
      <p className="muted">
        {[...props.about, ''].filter((text) => text !== null).join(', ')}
        <Moment iso={props.at} />
      </p>
    </div>
  );
}
