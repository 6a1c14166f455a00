import { useClient } from '../shared/client.tsx';
import { save } from '../shared/save.ts';
import { Button, CommandNotice } from '../shared/ui/basics.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { walletTexts } from '../texts/wallet.ts';

const { ownData: texts } = walletTexts;

/** What the service holds about somebody, for them to keep. */
export function OwnData() {
  const client = useClient();
  const download = useSubmit({
    send: (_: undefined, { signal }) => client.exportOwnData({}, { signal }),
    changes: [],
    onDone: (data) => {
      save(texts.name, new Blob([JSON.stringify(data, null, 1)], { type: 'application/json' }));
    },
  });
  return (
    <section className="section">
      <h2>{texts.title}</h2>
      <p className="muted">{texts.what}</p>
      <div className="button-row">
        <Button isRunning={download.isRunning} onClick={() => download.submit(undefined)}>
          {texts.download}
        </Button>
      </div>
      <CommandNotice command={download} />
    </section>
  );
}
