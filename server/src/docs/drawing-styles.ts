/** How drawings look in a page. Each file of docs/diagrams/ has the same classes for itself. */
export const DRAWING_STYLES = `
.drawing { margin: 1.75rem 0 2rem; }
.drawing .wide { margin: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); }
.drawing svg { display: block; min-width: 36rem; max-width: 100%; height: auto; margin: 0 auto; font-family: var(--sans); }
.drawing figcaption { margin-top: .6rem; color: var(--quiet); font-size: .875rem; text-align: center; }
`;
