import { encode } from 'uqr';
import { type Html, html } from '../../platform/http/server/html.ts';

/** Light modules around the code, which scanners need. */
const BORDER = 4;

/** The address as a picture that phones can scan: dark on white in every colour scheme. */
export function qrSvg(url: string, label: string): Html {
  const { data, size } = encode(url, { ecc: 'M', border: BORDER });
  // One rectangle for each run of dark modules in a row.
  const path = data
    .map((row, y) =>
      runsOf(row)
        .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
        .join(''),
    )
    .join('');
  return html`<svg class="qr" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#ffffff"/><path d="${path}" fill="#000000"/></svg>`;
}

function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (isDark && last && last[0] + last[1] === x) last[1] += 1;
    else if (isDark) runs.push([x, 1]);
  }
  return runs;
}
