import { type Html, html } from './html.ts';

/** Renders the Markdown that the document uses: paragraphs, lists, links, bold text and code. */
export function prose(text: string): Html {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim() !== '');
  return html`${blocks.map(block)}`;
}

function block(text: string): Html {
  if (!text.startsWith('- ')) return html`<p>${inline(text)}</p>`;
  return html`<ul>${text
    .slice(2)
    .split('\n- ')
    .map((item) => html`<li>${inline(item)}</li>`)}</ul>`;
}

const MARKED = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)/g;

function inline(text: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: whole, 1: code, 2: bold, 3: label, 4: address, index } of text.matchAll(MARKED)) {
    parts.push(html`${text.slice(end, index)}`);
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (bold !== undefined) parts.push(html`<strong>${inline(bold)}</strong>`);
    else parts.push(html`<a href="${address}">${label}</a>`);
    end = index + whole.length;
  }
  return { markup: [...parts, html`${text.slice(end)}`].map(({ markup }) => markup).join('') };
}
