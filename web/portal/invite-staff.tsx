import { useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { Button } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { useToast } from '../shared/ui/toast.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { teamTexts as texts } from '../texts/en/team.ts';
import { useShop } from './shop.tsx';

/** Invites somebody to the till, and says before what they will be able to do there. */
export function InviteStaff() {
  const client = useClient();
  const { tenantId } = useShop();
  const say = useToast();
  const [isOpen, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const invite = useSubmit({
    send: (address: string, attempt) =>
      client.inviteStoreOperator({ tenantId, body: { email: address } }, attempt),
    changes: [['invites']],
    onDone: (sent) => {
      say(texts.sent(sent.email));
      setEmail('');
      setOpen(false);
    },
  });
  return (
    <>
      <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
        {texts.invite}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={texts.inviteTitle}
        submit={texts.submit}
        command={invite}
        onSubmit={() => invite.submit(email)}
      >
        <TextField
          label={texts.email}
          type="email"
          autoComplete="off"
          required
          value={email}
          onText={setEmail}
        />
        <div>
          <p>{texts.can}</p>
          <ul className="bullets">
            {texts.cans.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
        <p>{texts.cannot}</p>
        <p className="muted">{texts.next}</p>
      </FormDialog>
    </>
  );
}
