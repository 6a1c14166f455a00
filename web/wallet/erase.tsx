import { useState } from 'react';
import { useLocation } from 'wouter';
import { isLoyaltyError } from '../../sdk/index.ts';
import { type Schema, useClient, useProfile } from '../shared/client.tsx';
import { money } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Button, CommandNotice, ErrorNotice, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { CheckField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { Support } from '../shared/ui/support.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { worthOf } from '../shared/worth.ts';
import { eraseTexts as texts } from '../texts/en/erase.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import { Erasing } from './erasing.tsx';
import { type Redemption, useOpenCodes, useWallets, type Wallet } from './queries.ts';

/** Where somebody asks to be erased: what that means, what they lose, and that they mean it. */
export default function ErasePage() {
  return (
    <>
      <PageTitle back={{ href: '/', text: walletTexts.pages.wallets }}>
        {walletTexts.ownData.erase}
      </PageTitle>
      <Erasing />
      <Asking />
    </>
  );
}

function Asking() {
  const profile = useProfile();
  const wallets = useWallets();
  const codes = useOpenCodes();
  const parts = [profile, wallets, codes];
  const { data: person } = profile;
  // Nobody is to agree to a loss that is not on the page.
  if (!person || !wallets.data || !codes.data) {
    const failed = parts.find(({ error }) => error !== null);
    if (failed === undefined) return <Skeleton />;
    return <ErrorNotice error={failed.error} retry={failed.refetch} />;
  }
  if (person.erasure !== null) return null;
  if (person.role === 'pos_operator') {
    return (
      <Notice kind="plain">
        <p>{texts.staff}</p>
        <Support />
      </Notice>
    );
  }
  return (
    <div className="erase">
      <What person={person} />
      <Loss wallets={wallets.data} codes={codes.data} />
      <Form points={sumOf(wallets.data.map(({ balance }) => balance)) + pointsOf(codes.data)} />
    </div>
  );
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
const pointsOf = (codes: readonly Redemption[]) => sumOf(codes.map(({ points }) => points));

function What({ person }: { person: Schema['UserProfile'] }) {
  const { email, emailVerified } = person;
  return (
    <ul className="erase-what">
      <li>{texts.who}</li>
      <li>{texts.points}</li>
      <li>
        {texts.when}
        {email !== '' && emailVerified && ` ${texts.mail(email)}`}
      </li>
      <li>{texts.stays}</li>
      <li>{texts.anew}</li>
    </ul>
  );
}

/** The points of each shop, and the codes that can still be used. */
function Loss(props: { wallets: readonly Wallet[]; codes: readonly Redemption[] }) {
  const wallets = props.wallets.filter(({ balance }) => balance > 0);
  const { codes } = props;
  if (wallets.length + codes.length === 0) return null;
  return (
    <section aria-label={texts.loss}>
      <h2 className="holding-validity">{texts.loss}</h2>
      <ul className="validity">
        {wallets.map(({ id, tenant, balance, worthMinorUnits, currency }) => (
          <li key={id}>
            <span>{tenant.name}</span>
            <span>{texts.held(pointsText(balance), money(worthMinorUnits, currency))}</span>
          </li>
        ))}
        {codes.map((code) => (
          <li key={code.id}>
            <span>{texts.codeAt(code.tenant.name)}</span>
            <span>{texts.heldFor(pointsText(code.points), worthOf(code))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Form({ points }: { points: number }) {
  const client = useClient();
  const [, navigate] = useLocation();
  const [isSure, setSure] = useState(false);
  const erase = useSubmit({
    send: (_: undefined, attempt) => client.requestErasure({ body: { confirm: 'ERASE' } }, attempt),
    changes: [['profile']],
    onDone: () => navigate('/'),
  });
  const { error } = erase;
  const isForSupport =
    isLoyaltyError(error) && error.issues.some(({ code }) => code === 'not_erasable');
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        erase.submit(undefined);
      }}
    >
      <CheckField
        label={points > 0 ? texts.sure(pointsText(points)) : texts.sureOfNothing}
        required
        checked={isSure}
        onCheck={setSure}
      />
      <div className="button-row">
        <Button type="submit" kind="danger" isRunning={erase.isRunning}>
          {walletTexts.ownData.erase}
        </Button>
      </div>
      <CommandNotice command={erase} />
      {isForSupport && <Support />}
    </form>
  );
}
