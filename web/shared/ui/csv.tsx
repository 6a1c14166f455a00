import type { ReactNode } from 'react';
import { LoyaltyError } from '../../../sdk/index.ts';
import { commonTexts } from '../../texts/en/common.ts';
import { language } from '../../texts/en/language.ts';
import type { Schema } from '../client.tsx';
import { save } from '../save.ts';
import { useSubmit } from '../use-submit.ts';
import { shownZone } from '../zone.ts';
import { Button, CommandNotice } from './basics.tsx';

/** How a list is asked for as CSV for people: in the language and by the clocks that are shown. */
type Asked = {
  query: { columns: 'named'; timeZone: string };
  headers: { accept: string; 'accept-language': string };
  // As text, it would lose the mark by which spreadsheets know its encoding.
  parseAs: 'blob';
  signal: AbortSignal;
};

type Answer = { data?: unknown; error?: Schema['Error']; response: Response };

/** What the service answered, unless that breaks off on its way. */
async function whole(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof LoyaltyError) throw cause;
    throw new LoyaltyError('The download broke off.', { code: 'UNREACHABLE', cause });
  }
}

/** Has the browser save a list, as it is filtered, for a spreadsheet. */
export function CsvButton(props: {
  name: keyof typeof commonTexts.csvNames;
  get(asked: Asked): Promise<Answer>;
  /** What else is beside it. */
  children?: ReactNode;
}) {
  const download = useSubmit({
    send: async (_: undefined, { signal }) => {
      const asked = {
        query: { columns: 'named', timeZone: shownZone() },
        headers: { accept: 'text/csv', 'accept-language': language },
        parseAs: 'blob',
        signal,
      } as const;
      const { data, error, response } = await whole(props.get(asked));
      if (data instanceof Blob) return data;
      const { code = 'INTERNAL_ERROR', message = '', issues = [] } = error ?? {};
      throw new LoyaltyError(message, { status: response.status, code, issues });
    },
    changes: [],
    onDone: (content) => save(commonTexts.csvNames[props.name], content),
  });
  return (
    <div className="button-row">
      <Button isRunning={download.isRunning} onClick={() => download.submit(undefined)}>
        {commonTexts.csv}
      </Button>
      {props.children}
      <CommandNotice command={download} />
    </div>
  );
}
