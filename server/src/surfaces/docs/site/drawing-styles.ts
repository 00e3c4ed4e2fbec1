/** How drawings look in a page. Each file of docs/diagrams/ has the same classes for itself. */
export const DRAWING_STYLES = `
.drawing { margin: 1.75rem 0 2rem; }
.drawing .wide { margin: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--ground); }
.drawing svg { display: block; min-width: 40rem; max-width: 100%; height: auto; margin: 0 auto; font-family: var(--sans); }
.drawing figcaption { margin-top: .6rem; color: var(--quiet); font-size: .875rem; text-align: center; }
.drawing .ground { fill: none; }
.drawing .lane { fill: var(--raised); }
.drawing .box { fill: var(--ground); stroke: light-dark(#b8c2cb, #4a5762); }
.drawing .ours { fill: var(--tint); stroke: var(--accent); }
.drawing .good { fill: var(--post-ground); stroke: var(--post); }
.drawing .bad { fill: var(--delete-ground); stroke: var(--delete); }
.drawing .line { fill: none; stroke: var(--quiet); stroke-width: 1.5; }
.drawing .dash { stroke-dasharray: 4 4; }
.drawing .tip { fill: var(--quiet); }
.drawing .name { fill: var(--strong); font-weight: 600; }
.drawing .text { fill: var(--quiet); }
`;
