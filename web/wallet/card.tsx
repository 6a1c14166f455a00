import { lazy, Suspense, useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { grouped } from '../shared/format.ts';
import { Button, ErrorNotice, Skeleton } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import { CARD, useCard } from './queries.ts';

const QrCode = lazy(() => import('../shared/ui/qr.tsx'));
const { card: texts } = walletTexts;

/** The card by which shops recognise somebody who gave no contact: to be scanned, or read out. */
export default function CardPage() {
  const card = useCard();
  if (card.data === undefined) {
    return card.isPending ? <Skeleton /> : <ErrorNotice error={card.error} retry={card.refetch} />;
  }
  const { memberNumber, qr } = card.data;
  return (
    <>
      <PageTitle back={{ href: '/', text: texts.back }}>{texts.title}</PageTitle>
      <div className="code-page">
        <div className="code-qr">
          <Suspense fallback={<div className="qr" />}>
            <QrCode text={qr} label={texts.qr(memberNumber)} />
          </Suspense>
        </div>
        <section className="code-side" aria-label={texts.number}>
          <p className="muted">{texts.how}</p>
          <p className="code-text">{grouped(memberNumber)}</p>
          <div className="code-actions">
            <Replace />
          </div>
        </section>
      </div>
    </>
  );
}

function Replace() {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const replace = useSubmit({
    send: (_: undefined, { signal }) => client.rotateMemberNumber({}, { signal }),
    changes: [CARD],
    onDone: () => setOpen(false),
  });
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.replace}</Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={texts.replaceTitle}
        submit={texts.replace}
        command={replace}
        onSubmit={() => replace.submit(undefined)}
      >
        <p>{texts.replaceWhat}</p>
      </FormDialog>
    </>
  );
}
