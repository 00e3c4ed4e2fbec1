import type uPlot from 'uplot';

export type TipRow = readonly [label: string, value: string];

const GAP = 12;

/** Shows the values at the pointer in a box beside it. The table of the chart has the same values. */
export function chartTip(rowsAt: (index: number) => readonly TipRow[]): uPlot.Plugin {
  const tip = document.createElement('dl');
  tip.className = 'chart-tip';
  tip.hidden = true;
  return {
    hooks: {
      init: ({ over }) => over.append(tip),
      setSize: () => {
        tip.hidden = true;
      },
      setCursor: ({ cursor: { idx, left = -1 }, over }) => {
        tip.hidden = left < 0 || idx === null || idx === undefined;
        if (tip.hidden) return;
        tip.replaceChildren(...rowsAt(idx ?? 0).flatMap(toElements));
        const isPastMiddle = left > over.clientWidth / 2;
        const x = isPastMiddle ? left - GAP - tip.offsetWidth : left + GAP;
        tip.style.transform = `translateX(${x}px)`;
      },
    },
  };
}

function toElements([label, value]: TipRow): HTMLElement[] {
  const term = document.createElement('dt');
  term.textContent = label;
  const description = document.createElement('dd');
  description.textContent = value;
  return [term, description];
}
