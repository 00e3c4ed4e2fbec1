import type { ReactNode } from 'react';

/** A list that scrolls by itself, also by keyboard. */
export function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className="scroll-box" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
