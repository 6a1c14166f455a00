import { describe, expect, it } from 'vitest';
import { prose } from '../../../api/docs/prose.ts';

describe('prose', () => {
  it.each([
    ['one\n\ntwo', '<p>one</p>\n<p>two</p>'],
    [
      'a `<b>` **bold `c`** end',
      '<p>a <code>&lt;b&gt;</code> <strong>bold <code>c</code></strong> end</p>',
    ],
    ['[a & b](/docs?x=1&y=2)', '<p><a href="/docs?x=1&amp;y=2">a &amp; b</a></p>'],
    ['- one\n  more\n- `two`', '<ul><li>one\n  more</li>\n<li><code>two</code></li></ul>'],
    ['', ''],
  ])('renders %j', (text, markup) => {
    expect(prose(text).markup).toBe(markup);
  });
});
