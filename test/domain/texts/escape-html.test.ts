import { expect, it } from 'vitest';
import { escapeHtml } from '../../../domain/texts/escape-html.ts';

it('leaves nothing that begins or ends a tag, an attribute or an entity', () => {
  expect(escapeHtml(`<a title="x" b='y'> & Café`)).toBe(
    '&lt;a title=&quot;x&quot; b=&#39;y&#39;&gt; &amp; Café',
  );
});
