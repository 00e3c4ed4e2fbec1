/** A frame that is wider than the page scrolls, so keyboards must reach it. The others need no stop. */
export function watchFrames(): void {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) markFrame(target as HTMLElement);
  });
  for (const frame of document.querySelectorAll('.wide, .scrolls pre')) watch.observe(frame);
}

function markFrame(frame: HTMLElement): void {
  const isWide = frame.scrollWidth > frame.clientWidth;
  const marks = { tabindex: '0', role: 'group', 'aria-label': frame.dataset.label ?? '' };
  for (const [name, value] of Object.entries(marks)) {
    if (isWide) frame.setAttribute(name, value);
    else frame.removeAttribute(name);
  }
}
