import { type Schema, useClient, useProfile } from '../shared/client.tsx';
import { Skeleton } from '../shared/ui/basics.tsx';
import { officeTexts } from '../texts/en/office.ts';
import { Adjust } from './adjust.tsx';
import { Command } from './command.tsx';
import { nameOf } from './names.ts';
import { isErased, usePerson } from './person-data.ts';
import { Whose } from './whose.tsx';

const { adjust: texts, freeze, unfreeze } = officeTexts;

type Wallet = Schema['OwnedWallet'];
type Props = { wallet: Wallet; changes: readonly string[][]; onDone(text: string): void };

/** What an administrator can do to a wallet by hand. */
export function WalletCommands({ wallet, onDone }: Omit<Props, 'changes'>) {
  const profile = useProfile();
  const person = usePerson(wallet.userId);
  const isOwn = profile.data?.userId === wallet.userId;
  const changes = [
    ['wallet', wallet.id],
    ['entries', wallet.id],
    ['person', wallet.userId],
    ['audit'],
  ];
  const props = { wallet, changes, onDone };
  if (person.isPending) return <Skeleton count={1} />;
  if (person.data !== undefined && isErased(person.data)) {
    return <p className="muted">{officeTexts.erase.gone}</p>;
  }
  return (
    <>
      <div className="button-row">
        <Adjust {...props} isOwn={isOwn} />
        {wallet.status === 'active' ? <Freeze {...props} /> : <Unfreeze {...props} />}
      </div>
      {isOwn && <p className="muted">{texts.own}</p>}
    </>
  );
}

function Freeze({ wallet, changes, onDone }: Props) {
  const client = useClient();
  const who = nameOf(wallet.owner);
  return (
    <Command
      open={freeze.open}
      title={freeze.title(who)}
      submit={freeze.submit(who)}
      isDangerous
      input={{}}
      send={(body, attempt) => client.freezeWallet({ walletId: wallet.id, body }, attempt)}
      changes={changes}
      onDone={() => onDone(freeze.done(who))}
    >
      <Whose wallet={wallet} />
      <p>{freeze.what}</p>
    </Command>
  );
}

function Unfreeze({ wallet, changes, onDone }: Props) {
  const client = useClient();
  const who = nameOf(wallet.owner);
  return (
    <Command
      open={unfreeze.open}
      title={unfreeze.title(who)}
      submit={unfreeze.submit(who)}
      input={{}}
      send={(body, attempt) => client.unfreezeWallet({ walletId: wallet.id, body }, attempt)}
      changes={changes}
      onDone={() => onDone(unfreeze.done(who))}
    >
      <Whose wallet={wallet} />
      <p>{unfreeze.what}</p>
    </Command>
  );
}
