// Shows the entries that hold every word that is searched for, and opens what an address names.
const search = document.querySelector('#search');
const found = document.querySelector('#found');
const entries = [...document.querySelectorAll('details.entry')];
const texts = entries.map((entry) => entry.textContent.toLowerCase());

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  entries.forEach((entry, nth) => {
    entry.hidden = !words.every((word) => texts[nth].includes(word));
    if (!entry.hidden) count += 1;
  });
  for (const section of document.querySelectorAll('section')) {
    section.hidden = section.querySelector('details.entry:not([hidden])') === null;
  }
  document.querySelector('.intro').hidden = words.length > 0;
  found.textContent = words.length === 0 ? '' : `${count} found`;
}

function openNamed() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const entry = target?.closest('details');
  if (!entry) return;
  entry.open = true;
  entry.scrollIntoView();
}

search.addEventListener('input', show);
window.addEventListener('hashchange', openNamed);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input')) return;
  event.preventDefault();
  search.focus();
});
show();
openNamed();
