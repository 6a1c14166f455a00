import { lazy, Suspense, useEffect } from 'react';
import { Button, Skeleton } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { portalTexts } from '../texts/en/portal.ts';
import { posterTexts as texts } from '../texts/en/poster.ts';
import { notePosterSeen, useShop } from './shop.tsx';
import '../shared/styles/print.css';
import './poster.css';

const BACK = { href: '/consumers', text: portalTexts.pages.consumers };

const QrCode = lazy(() => import('../shared/ui/qr.tsx'));

/** A poster for the counter, which leads customers to the shop's page where they join. */
export default function PosterPage() {
  const { tenant, tenantId } = useShop();
  useEffect(() => notePosterSeen(tenantId), [tenantId]);
  return (
    <>
      <PageTitle
        back={BACK}
        action={
          <Button kind="primary" onClick={() => print()}>
            {texts.print}
          </Button>
        }
      >
        {texts.title}
      </PageTitle>
      <p className="muted no-print">{texts.lead}</p>
      <section className="card poster printed" aria-label={texts.title}>
        <strong className="poster-shop">{tenant.name}</strong>
        <p className="poster-call">{texts.call}</p>
        <Suspense fallback={<Skeleton shape="cards" count={1} />}>
          <QrCode text={tenant.joinUrl} label={texts.qr} />
        </Suspense>
        <p>{texts.how}</p>
        <p className="muted poster-link">{tenant.joinUrl}</p>
      </section>
    </>
  );
}
