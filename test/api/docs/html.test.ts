import { describe, expect, it } from 'vitest';
import { html } from '../../../api/docs/html.ts';

describe('html', () => {
  it('escapes every value but its own markup', () => {
    const name = `<b> & "it's"`;
    const escaped = '&lt;b&gt; &amp; &quot;it&#39;s&quot;';
    expect(html`<p title="${name}">${html`<i>${name}</i>`}${undefined}${7}</p>`.markup).toBe(
      `<p title="${escaped}"><i>${escaped}</i>7</p>`,
    );
  });
});
