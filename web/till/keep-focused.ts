/** Where people type, or choose, on purpose. */
const ELSEWHERE = 'input, select, textarea, [role="dialog"], [popover]';

/**
 * Keeps the keys going to a field, for a scanner that types: whatever takes the focus gives it
 * back, unless it was moved by the Tab key or to where something else is typed or chosen. Returns
 * how to end that.
 */
export function keepFocused(field: HTMLInputElement): () => void {
  const leave = new AbortController();
  const { signal } = leave;
  let isByTab = false;
  const takeBack = () => {
    const isElsewhere = document.activeElement?.closest(ELSEWHERE) != null;
    if (!isByTab && !isElsewhere) field.focus({ preventScroll: true });
  };
  const isTyped = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
    key.length === 1 && key !== ' ' && !ctrlKey && !metaKey;
  document.addEventListener(
    'keydown',
    (event) => {
      isByTab = event.key === 'Tab' || (isByTab && !isTyped(event) && event.key !== 'Escape');
      // What is typed while a button has the focus is meant for the field.
      if (isTyped(event)) takeBack();
    },
    { signal, capture: true },
  );
  document.addEventListener(
    'pointerdown',
    () => {
      isByTab = false;
    },
    { signal, capture: true },
  );
  document.addEventListener('focusin', takeBack, { signal });
  // Not every browser gives a button the focus that is pressed, and none a text.
  document.addEventListener('click', () => setTimeout(takeBack), { signal });
  addEventListener('focus', takeBack, { signal });
  takeBack();
  return () => leave.abort();
}
