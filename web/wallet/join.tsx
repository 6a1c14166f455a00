import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { Button, ButtonLink, CommandNotice, ErrorNotice, Skeleton } from '../shared/ui/basics.tsx';
import { Branded } from '../shared/ui/branded.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import { Contacts } from './contacts.tsx';
import { Logo } from './home.tsx';
import { REMEMBERED } from './queries.ts';

const { join: texts } = walletTexts;

/** What the link on a shop's poster leads to: the shop, and a wallet there. */
export function JoinPage({ tenantId }: { tenantId: string }) {
  const client = useClient();
  const [, navigate] = useLocation();
  const queryKey = ['shop-to-join', tenantId];
  const shop = useQuery({
    queryKey,
    queryFn: () => client.showJoinableShop({ tenantId }),
  });
  const join = useSubmit({
    send: (_: undefined, attempt) => client.joinShop({ body: { tenantId } }, attempt),
    changes: [[REMEMBERED], queryKey],
    onDone: ({ id }) => navigate(`/wallet/wallets/${id}`),
  });
  if (shop.data === undefined) {
    return shop.isPending ? <Skeleton /> : <ErrorNotice error={shop.error} retry={shop.refetch} />;
  }
  const { name, branding, walletId } = shop.data;
  return (
    <Branded color={branding.color}>
      <div className="join">
        <Logo tenant={shop.data} />
        <PageTitle>{walletId === null ? texts.title(name) : texts.member(name)}</PageTitle>
        {walletId === null ? (
          <>
            <p>{texts.how}</p>
            <CommandNotice command={join} />
            <Button
              kind="primary"
              isRunning={join.isRunning}
              onClick={() => join.submit(undefined)}
            >
              {texts.submit}
            </Button>
          </>
        ) : (
          <ButtonLink kind="primary" href={`/wallet/wallets/${walletId}`}>
            {texts.look}
          </ButtonLink>
        )}
        <Contacts />
      </div>
    </Branded>
  );
}
