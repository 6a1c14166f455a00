import { type Schema, useClient } from '../shared/client.tsx';
import { Button, CommandNotice } from '../shared/ui/basics.tsx';
import type { Column } from '../shared/ui/lists.tsx';
import { useToast } from '../shared/ui/toast.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { worthOf } from '../shared/worth.ts';
import { serviceTexts } from '../texts/en/service.ts';
import { useShop } from './shop.tsx';

const { resend: texts } = serviceTexts;

/** The column of codes that sends the mail of an open one again. */
export const RESEND_COLUMN: Column<Schema['ShopRedemption']> = {
  title: texts.column,
  cell: (code) => code.status === 'issued' && <Resend code={code} />,
};

/** Sends the mail of an open code again. */
export function Resend({ code }: { code: Schema['ShopRedemption'] }) {
  const client = useClient();
  const { tenantId } = useShop();
  const say = useToast();
  const resend = useSubmit({
    send: (redemptionId: string, attempt) => client.resendCode({ tenantId, redemptionId }, attempt),
    changes: [],
    onDone: () => say(texts.done),
  });
  return (
    <>
      <Button
        size="small"
        aria-label={texts.of(worthOf(code))}
        isRunning={resend.isRunning}
        onClick={() => resend.submit(code.id)}
      >
        {texts.open}
      </Button>
      <CommandNotice command={resend} />
    </>
  );
}
