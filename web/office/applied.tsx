import type { Schema } from '../shared/client.tsx';
import { officeTexts } from '../texts/en/office.ts';

const { application: texts } = officeTexts;

/** What somebody has said of their shop who asks to become a merchant, as facts of a list. */
export function Applied({ application }: { application: Schema['FoundUser']['application'] }) {
  if (application === null) return null;
  const { shopName, phone, website, reason } = application;
  return (
    <>
      <dt>{texts.shop}</dt>
      <dd>{shopName}</dd>
      <dt>{texts.phone}</dt>
      <dd>{phone}</dd>
      {website !== undefined && (
        <>
          <dt>{texts.website}</dt>
          <dd>
            <a href={website} target="_blank" rel="noreferrer">
              {website}
            </a>
          </dd>
        </>
      )}
      <dt>{texts.reason}</dt>
      <dd>{reason}</dd>
    </>
  );
}
