/**
 * Loads the results again when another number or period is chosen, and says what a bar stands for under the
 * pointer. Without it, the links load the whole page, and bars have titles.
 */
export const RESULTS_SCRIPT = `
const results = document.getElementById('results');
results?.addEventListener('click', async (event) => {
  const link = event.target.closest('a[data-part]');
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const isOpen = results.querySelector('details').open;
  const name = link.closest('nav').getAttribute('aria-label');
  try {
    const answer = await fetch(link.dataset.part);
    if (!answer.ok || answer.redirected) throw new Error();
    results.innerHTML = await answer.text();
  } catch {
    location.assign(link.href);
    return;
  }
  results.querySelector('details').open = isOpen;
  history.replaceState(null, '', link.href);
  for (const nav of results.querySelectorAll('nav')) {
    if (nav.getAttribute('aria-label') !== name) continue;
    nav.querySelector('[aria-current]').focus({ preventScroll: true });
  }
});
results?.addEventListener('pointermove', (event) => {
  const caption = results.querySelector('figcaption');
  const bar = event.target.closest('[data-say]');
  caption.textContent = bar ? bar.dataset.say : caption.dataset.still;
});
results?.addEventListener('pointerleave', () => {
  const caption = results.querySelector('figcaption');
  caption.textContent = caption.dataset.still;
});
`;
