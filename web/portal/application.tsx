import { type FormEvent, Fragment, useState } from 'react';
import { type Schema, useClient, useProfile } from '../shared/client.tsx';
import { Button, CommandNotice, Notice } from '../shared/ui/basics.tsx';
import { LongTextField, TextField } from '../shared/ui/fields.tsx';
import { useDraft } from '../shared/use-draft.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { applicationTexts as texts } from '../texts/en/application.ts';
import { type Application, draftOf, readDraft } from './application-draft.ts';

const ASK_AGAIN_MS = 4_000;
const NAMES = ['shopName', 'phone', 'website', 'reason'] as const;

/**
 * Asks somebody of which shop they would be the merchant, and shows that it is looked at. Whether
 * it was decided is asked for as long as the page is seen.
 */
export default function ApplicationPage({ profile }: { profile: Schema['UserProfile'] }) {
  useProfile({ refetchInterval: ASK_AGAIN_MS, refetchOnWindowFocus: 'always' });
  const [isChanging, setChanging] = useState(false);
  const { application } = profile;
  if (application === undefined || isChanging) {
    return <ApplicationForm said={application} onSent={() => setChanging(false)} />;
  }
  const { email, emailVerified } = profile;
  return (
    <>
      <Notice kind="good">
        <p>
          <strong>{texts.waiting}</strong>
        </p>
        <p>{texts.opens}</p>
        {emailVerified && <p>{texts.mailed(email)}</p>}
      </Notice>
      <section className="card application" aria-label={texts.said}>
        <dl className="facts">
          {NAMES.filter((name) => application[name] !== undefined).map((name) => (
            <Fragment key={name}>
              <dt>{texts.names[name]}</dt>
              <dd>{application[name]}</dd>
            </Fragment>
          ))}
        </dl>
        <div className="button-row">
          <Button size="small" onClick={() => setChanging(true)}>
            {texts.change}
          </Button>
        </div>
      </section>
    </>
  );
}

function ApplicationForm(props: { said: Application | undefined; onSent(): void }) {
  const client = useClient();
  const [draft, setDraft] = useDraft('application', () => draftOf(props.said));
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const send = useSubmit({
    send: (body: Application, attempt) => client.sendApplication({ body }, attempt),
    changes: [['profile']],
    onDone: props.onSent,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readDraft(draft);
    setWrong('wrong' in read ? read.wrong : []);
    if ('application' in read) send.submit(read.application);
  };
  const field = (name: (typeof NAMES)[number]) => ({
    value: draft[name],
    onText: (text: string) => setDraft({ ...draft, [name]: text }),
  });
  const problem = (name: 'phone' | 'website') =>
    wrong.includes(name) ? texts.wrong[name] : undefined;
  return (
    <form className="form application" onSubmit={submit}>
      <p>{texts.lead}</p>
      <TextField
        label={texts.shopName}
        hint={texts.shopNameHint}
        autoComplete="organization"
        required
        maxLength={120}
        {...field('shopName')}
      />
      <TextField
        label={texts.phone}
        problem={problem('phone')}
        type="tel"
        autoComplete="tel"
        required
        maxLength={31}
        {...field('phone')}
      />
      <TextField
        label={texts.website}
        problem={problem('website')}
        inputMode="url"
        autoCapitalize="none"
        autoComplete="url"
        maxLength={290}
        {...field('website')}
      />
      <LongTextField
        label={texts.reason}
        hint={texts.reasonHint}
        required
        maxLength={500}
        {...field('reason')}
      />
      <CommandNotice command={send} />
      <Button type="submit" kind="primary" size="big" isRunning={send.isRunning}>
        {texts.send}
      </Button>
    </form>
  );
}
