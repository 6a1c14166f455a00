import { useQuery } from '@tanstack/react-query';
import { commonTexts } from '../texts/en/common.ts';
import { noticeTexts as texts } from '../texts/en/notices.ts';
import { type Schema, useClient, useProfile } from './client.tsx';
import { keysOf } from './keys-of.ts';
import { PhoneNotices } from './phone-notices.tsx';
import { CommandNotice, ErrorNotice, Notice, Section, Skeleton } from './ui/basics.tsx';
import { CheckField } from './ui/fields.tsx';
import { PageTitle } from './ui/frame.tsx';
import { Segments } from './ui/segments.tsx';
import { useToast } from './ui/toast.tsx';
import { useSubmit } from './use-submit.ts';

type Choices = Schema['Notices'];
type Role = Schema['UserProfile']['role'];
type Switch = 'weekly' | 'waiting';

const QUERY = ['notices'];

/** Where people choose what they are mailed about, each what concerns them. */
export default function NoticesPage() {
  const client = useClient();
  const { data: profile } = useProfile();
  const choices = useQuery({ queryKey: QUERY, queryFn: () => client.showNotices() });
  return (
    <>
      <PageTitle>{commonTexts.notices}</PageTitle>
      {profile?.emailVerified === false && <Notice kind="plain">{texts.noAddress}</Notice>}
      {choices.data !== undefined && profile !== undefined ? (
        <>
          <Form choices={choices.data} role={profile.role} />
          {choices.data.pushKey !== null && hasWallet(profile.role) && (
            <PhoneNotices pushKey={choices.data.pushKey} />
          )}
        </>
      ) : choices.error === null ? (
        <Skeleton />
      ) : (
        <ErrorNotice error={choices.error} retry={choices.refetch} />
      )}
    </>
  );
}

const hasWallet = (role: Role) => role !== 'client' && role !== 'admin';

function Form({ choices, role }: { choices: Choices; role: Role }) {
  const client = useClient();
  const showToast = useToast();
  const change = useSubmit({
    send: (body: Partial<Omit<Choices, 'pushKey'>>, { signal }) =>
      client.changeNotices({ body }, { signal }),
    changes: [QUERY],
    onDone: () => showToast(texts.saved),
  });
  const name = hasWallet(role) ? 'points' : role === 'admin' ? 'waiting' : 'weekly';
  return (
    <Section title={texts[name].title}>
      <p className="muted">{texts[name].what}</p>
      {name === 'points' ? (
        <Segments
          legend={texts.points.title}
          options={keysOf(texts.points.options).map((value) => {
            return { value, text: texts.points.options[value] };
          })}
          value={choices.points}
          onValue={(points) => change.submit({ points })}
        />
      ) : (
        <Check name={name} choices={choices} onChange={change.submit} />
      )}
      <CommandNotice command={change} />
    </Section>
  );
}

function Check(props: {
  name: Switch;
  choices: Choices;
  onChange(changed: Partial<Choices>): void;
}) {
  const { name, choices, onChange } = props;
  return (
    <CheckField
      label={texts[name].on}
      checked={choices[name]}
      onCheck={(isOn) => onChange({ [name]: isOn })}
    />
  );
}
