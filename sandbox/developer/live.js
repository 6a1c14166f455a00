// Shows the lines of the page as they change. Without it, the page shows them as they were.

const list = document.querySelector('#lines');
const state = document.querySelector('#state');
const source = new EventSource('/time-machine/live');

source.addEventListener('open', () => {
  state.textContent = 'Live: new lines appear by themselves.';
});
source.addEventListener('error', () => {
  state.textContent = 'The connection is lost, and is tried again.';
});
source.addEventListener('message', ({ data }) => {
  const { order, changed } = JSON.parse(data);
  for (const [id, markup] of Object.entries(changed)) show(id, markup);
  order.forEach((id, index) => {
    const line = document.getElementById(id);
    if (list.children[index] !== line) list.insertBefore(line, list.children[index] ?? null);
  });
  while (list.children.length > order.length) list.lastElementChild.remove();
});

function show(id, markup) {
  const template = document.createElement('template');
  template.innerHTML = markup;
  const line = document.getElementById(id);
  if (line === null) list.append(template.content);
  else line.replaceWith(template.content);
}
