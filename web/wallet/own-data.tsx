import { useClient, useProfile } from '../shared/client.tsx';
import { save } from '../shared/save.ts';
import { Button, ButtonLink, CommandNotice } from '../shared/ui/basics.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { walletTexts } from '../texts/en/wallet.ts';

const { ownData: texts } = walletTexts;

/** What the service holds about somebody, for them to keep, or to have erased. */
export function OwnData() {
  const client = useClient();
  const { data: profile } = useProfile();
  const download = useSubmit({
    send: (_: undefined, { signal }) => client.exportOwnData({}, { signal }),
    changes: [],
    onDone: (data) => {
      save(texts.name, new Blob([JSON.stringify(data, null, 1)], { type: 'application/json' }));
    },
  });
  if (profile?.hasProgrammes !== true) return null;
  return (
    <section className="section">
      <h2>{texts.title}</h2>
      <p className="muted">{texts.what}</p>
      <div className="button-row">
        <Button isRunning={download.isRunning} onClick={() => download.submit(undefined)}>
          {texts.download}
        </Button>
        {profile.erasure === null && (
          <ButtonLink kind="quiet" href="/erase">
            {texts.erase}
          </ButtonLink>
        )}
      </div>
      <CommandNotice command={download} />
    </section>
  );
}
