import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { ButtonLink } from '../shared/ui/basics.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { tableTexts as texts } from '../texts/en/tables.ts';
import { CodeDetails } from './code.tsx';
import { CustomerDetails } from './consumer.tsx';
import { type Shown, usePanelAddress } from './panel-address.ts';
import { SaleDetails } from './sale.tsx';
import { ShopSearch, useShopSearch } from './search.tsx';
import './panel.css';

type Open = { kind: Shown | 'search'; id: string; depth: number };

const OPEN = /^(sale|code|customer)-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/** What lies at the side of a page, a page of its own on a phone: all about one row of a list. */
export default function Panel() {
  const [, navigate] = useLocation();
  const { opens, depth, ...address } = usePanelAddress();
  const kind = kindIn(opens);
  const close = () => {
    if (depth > 0) history.go(-depth);
    else navigate(address.with(undefined), { replace: true });
  };
  return (
    <Dialog
      isOpen={kind !== undefined}
      onClose={close}
      title={kind === undefined ? '' : texts.titles[kind]}
      isAtSide
    >
      {kind !== undefined && <Content kind={kind} id={OPEN.exec(opens)?.[2] ?? ''} depth={depth} />}
    </Dialog>
  );
}

function kindIn(opens: string): Open['kind'] | undefined {
  if (opens === 'search') return opens;
  const kind = OPEN.exec(opens)?.[1];
  return kind === 'sale' || kind === 'code' || kind === 'customer' ? kind : undefined;
}

/** It is the same while one panel leads to another, so that Back finds what was searched for. */
function Content({ kind, id, depth }: Open) {
  const search = useShopSearch();
  const content = useRef<HTMLDivElement>(null);
  const first = useRef(`${kind} ${id}`);
  useEffect(() => {
    // What had the focus is gone with what was shown before.
    if (first.current !== `${kind} ${id}`) content.current?.focus();
    first.current = '';
  }, [kind, id]);
  return (
    <div className="panel-content" ref={content} tabIndex={-1}>
      {(depth > 1 || depth < 0) && (
        <button type="button" className="link" onClick={() => history.back()}>
          {texts.back}
        </button>
      )}
      {kind === 'search' && <ShopSearch search={search} />}
      {kind === 'sale' && <SaleDetails key={id} transactionId={id} />}
      {kind === 'code' && <CodeDetails redemptionId={id} />}
      {kind === 'customer' && (
        <CustomerDetails
          key={id}
          userId={id}
          heading={(name) => <p className="panel-name">{name}</p>}
        >
          <p>
            <ButtonLink href={`/consumers/${id}`}>{texts.asPage}</ButtonLink>
          </p>
        </CustomerDetails>
      )}
    </div>
  );
}
