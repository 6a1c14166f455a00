import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { Button } from '../shared/ui/basics.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { Explanation } from '../shared/ui/explanation.tsx';
import { MemberField } from '../shared/ui/member-field.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { teamTexts } from '../texts/en/team.ts';
import { useShop } from './shop.tsx';

const { attach: texts } = teamTexts;

/** Why a transaction earned what it did, in sentences. */
export default function WhyDialog(props: { transactionId: string | undefined; onClose(): void }) {
  const { transactionId, onClose } = props;
  return (
    <Dialog
      isOpen={transactionId !== undefined}
      onClose={onClose}
      title={portalTexts.transactions.why}
    >
      {transactionId !== undefined && <Why transactionId={transactionId} />}
    </Dialog>
  );
}

function Why({ transactionId }: { transactionId: string }) {
  const client = useClient();
  const { tenantId } = useShop();
  const explained = useQuery({
    queryKey: ['explanation', transactionId],
    queryFn: () => client.explainTransaction({ tenantId, transactionId }),
  });
  return (
    <>
      <Explanation to="merchant" explained={explained} />
      {explained.data?.outcomeReason === 'no_contacts' && <Attach transactionId={transactionId} />}
    </>
  );
}

/** Gives a sale that named nobody to the customer who shows the member number. */
function Attach({ transactionId }: { transactionId: string }) {
  const client = useClient();
  const { tenantId } = useShop();
  const [member, setMember] = useState('');
  const attach = useSubmit({
    send: (number: string, { signal }) =>
      client.attachSaleByMerchant(
        { tenantId, body: { transactionId, member: number } },
        { signal },
      ),
    changes: [
      ['explanation', transactionId],
      ['transactions', tenantId],
      ['attachments', tenantId],
    ],
  });
  return (
    <form
      className="section"
      onSubmit={(event) => {
        event.preventDefault();
        attach.submit(member);
      }}
    >
      <h3>{texts.title}</h3>
      <MemberField
        label={texts.number}
        hint={texts.how}
        unknown={texts.unknown}
        value={member}
        onText={setMember}
        command={attach}
      />
      <Button type="submit" isRunning={attach.isRunning}>
        {texts.submit}
      </Button>
    </form>
  );
}
