import type { ReactNode } from 'react';
import { LoyaltyError } from '../../../sdk/index.ts';
import { commonTexts } from '../../texts/en/common.ts';
import { language } from '../../texts/en/language.ts';
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

/** Has the browser save a list, as it is filtered, for a spreadsheet. */
export function CsvButton(props: {
  name: keyof typeof commonTexts.csvNames;
  get(asked: Asked): Promise<{ data?: unknown; response: Response }>;
  /** What else is beside it. */
  children?: ReactNode;
}) {
  const download = useSubmit({
    send: async (_: undefined, { signal }) => {
      const { data, response } = await props.get({
        query: { columns: 'named', timeZone: shownZone() },
        headers: { accept: 'text/csv', 'accept-language': language },
        parseAs: 'blob',
        signal,
      });
      if (data instanceof Blob) return data;
      const code = response.status === 429 ? 'RATE_LIMITED' : 'UNEXPECTED_ANSWER';
      throw new LoyaltyError(response.statusText, { status: response.status, code });
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
