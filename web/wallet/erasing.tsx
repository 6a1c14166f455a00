import { useClient, useProfile } from '../shared/client.tsx';
import { moment } from '../shared/format.ts';
import { Button, CommandNotice, Notice } from '../shared/ui/basics.tsx';
import { useToast } from '../shared/ui/toast.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { walletTexts } from '../texts/en/wallet.ts';

const { erasing: texts } = walletTexts;

/** Says when somebody will be erased, with the way to prevent it; nothing unless they will be. */
export function Erasing() {
  const client = useClient();
  const say = useToast();
  const { data: profile, refetch } = useProfile();
  const keep = useSubmit({
    send: (_: undefined, { signal }) => client.withdrawErasure({}, { signal }),
    changes: [['profile']],
    onDone: () => {
      say(texts.kept);
      // The button goes, and whoever pressed it by keyboard is not to begin anew.
      document.querySelector('h1')?.focus({ preventScroll: true });
    },
    // It was withdrawn elsewhere.
    onRefused: () => void refetch(),
  });
  const erasure = profile?.erasure;
  if (erasure?.status !== 'scheduled') return null;
  return (
    <>
      <Notice kind="bad">
        <p>
          <strong>{texts.when(moment(erasure.at))}</strong>
        </p>
        <p>{texts.what}</p>
        <Button isRunning={keep.isRunning} onClick={() => keep.submit(undefined)}>
          {texts.keep}
        </Button>
      </Notice>
      <CommandNotice command={keep} />
    </>
  );
}
