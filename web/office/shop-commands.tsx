import { type Schema, useClient } from '../shared/client.tsx';
import { officeTexts } from '../texts/en/office.ts';
import { Command } from './command.tsx';

const { suspendShop, reinstateShop } = officeTexts;

/** Suspends a shop, or reinstates it. */
export function ShopCommands(props: {
  shop: Schema['TenantDetail']['tenant'];
  onDone(text: string): void;
}) {
  const client = useClient();
  const { id: tenantId, name, status } = props.shop;
  const isSuspended = status === 'suspended';
  const texts = isSuspended ? reinstateShop : suspendShop;
  return (
    <div className="button-row">
      <Command
        open={texts.open}
        title={texts.title(name)}
        submit={texts.submit}
        isDangerous={!isSuspended}
        input={{}}
        send={(body, attempt) =>
          isSuspended
            ? client.reinstateTenant({ tenantId, body }, attempt)
            : client.suspendTenant({ tenantId, body }, attempt)
        }
        changes={[['shop', tenantId], ['shops'], ['audit']]}
        onDone={() => props.onDone(texts.done)}
      >
        <p>{texts.what}</p>
      </Command>
    </div>
  );
}
