import { useQuery } from '@tanstack/react-query';
import { useClient } from '../shared/client.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { Explanation } from '../shared/ui/explanation.tsx';
import { portalTexts } from '../texts/portal.ts';
import { useShop } from './shop.tsx';

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
  return <Explanation to="merchant" explained={explained} />;
}
