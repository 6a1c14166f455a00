import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../db/audit-log.ts';
import { auditActions } from '../../domain/texts/audit-actions.ts';

// The apps load one language each, so that they do not share these words with the service.

it.each(['en', 'de'] as const)(
  'the service names each action in the words of the apps: %s',
  async (language) => {
    const actions = auditActions[language];
    expect(Object.keys(actions).toSorted()).toEqual(AUDIT_ACTIONS.toSorted());
    const file = new URL(`../../web/texts/${language}/audit.ts`, import.meta.url);
    const source = (await readFile(file, 'utf8')).replaceAll(/\s+/g, ' ');
    const missing = Object.entries(actions).filter(
      ([action, words]) => !source.includes(`'${action}': '${words}'`),
    );
    expect(missing).toEqual([]);
  },
);
