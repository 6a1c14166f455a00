import { noticeTexts } from '../texts/en/notices.ts';
import { useClient } from './client.tsx';
import { Button, CommandNotice, Notice } from './ui/basics.tsx';
import { useSubmit } from './use-submit.ts';

const { stop: texts } = noticeTexts;

/** The kinds of mails that a link switches off, as its token begins. */
const KINDS = ['points', 'weekly', 'waiting'] as const;

/** Asks whoever opened the link in a mail whether there are to be no more of its kind. */
export default function StopPage() {
  const client = useClient();
  const token = new URLSearchParams(location.search).get('token') ?? '';
  const kind = KINDS.find((each) => token.startsWith(`${each}.`));
  const stop = useSubmit({
    send: (_: undefined, { signal }) => client.stopNotices({ token }, { signal }),
    changes: [],
  });
  return (
    <main className="start">
      <h1>{texts.title}</h1>
      {stop.result === undefined ? (
        <>
          {kind !== undefined && <p>{texts[kind]}</p>}
          <Button
            kind="primary"
            size="big"
            isRunning={stop.isRunning}
            onClick={() => stop.submit(undefined)}
          >
            {texts.submit}
          </Button>
          <CommandNotice command={stop} />
        </>
      ) : (
        <Notice kind="good">{texts.done}</Notice>
      )}
      <p className="muted">{texts.change}</p>
    </main>
  );
}
