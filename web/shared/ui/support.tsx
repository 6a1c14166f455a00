import { commonTexts } from '../../texts/en/common.ts';
import { useSupport } from '../client.tsx';

/** Where to ask for help; nothing where the installation names no such place. */
export function Support() {
  const support = useSupport();
  if (support === undefined) return null;
  const href = support.startsWith('https://') ? support : `mailto:${support}`;
  return (
    <p>
      {commonTexts.support} <a href={href}>{support.replace('https://', '')}</a>
    </p>
  );
}
