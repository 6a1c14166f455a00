import { useCallback, useEffect, useState } from 'react';
import { useSession } from './client.tsx';
import { draftKey, readKept } from './drafts.ts';

/**
 * What is typed into a form, begun as `begin` says. If the sign-in ends meanwhile, or the page is
 * loaded again, the same person finds it in the same tab. It is forgotten when they leave the form,
 * and by `forget`, for what was sent.
 */
export function useDraft<Draft extends object>(name: string, begin: () => Draft) {
  const { state } = useSession();
  const [key] = useState(() => {
    const now = state();
    return draftKey(name, now.status === 'signed-out' ? '' : now.sub);
  });
  const [first] = useState(begin);
  const [draft, setDraft] = useState(() => readKept(key, first) ?? first);
  useEffect(() => {
    if (draft !== first) sessionStorage.setItem(key, JSON.stringify(draft));
  }, [draft, first, key]);
  const forget = useCallback(() => sessionStorage.removeItem(key), [key]);
  useEffect(
    () => () => {
      if (state().status !== 'signed-out') forget();
    },
    [forget, state],
  );
  return [draft, setDraft, forget] as const;
}
