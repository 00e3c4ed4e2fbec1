import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { axisRange, labelTicks } from './chart-axis.ts';

export interface Series {
  readonly label: string;
  /** A CSS colour for light and for dark pages. */
  readonly colour: readonly [string, string];
  /** Null on days without a value. */
  readonly values: readonly (number | null)[];
  /** The same as text, if a number cannot be exact. */
  readonly texts?: readonly string[];
}

interface TimeChartProps {
  /** Announced in place of the chart: what it shows, in a sentence. */
  readonly summary: string;
  /** ISO days, ascending. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** The minimum end of the axis: smaller steps would have equal labels, or be meaningless. */
  readonly least: number;
}

const HEIGHT = 220;

/** Numbers by day. The same numbers are in a table for screen readers. */
export function TimeChart({ summary, days, series, format, least }: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    const place = frame.current;
    if (!place) return;
    const ink = isDark ? '#a7b5ae' : '#51605a';
    const line = isDark ? '#2d3934' : '#e3e8e4';
    const { fontFamily } = getComputedStyle(place);
    const font = `12px ${fontFamily}`;
    const axis = { font, stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false } };
    const chart = new uPlot(
      {
        width: place.clientWidth,
        height: HEIGHT,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { y: { range: (_, low, high) => axisRange(low, high, least) } },
        axes: [axis, { ...axis, size: 76, values: (_, ticks) => labelTicks(ticks, format) }],
        series: [
          {
            label: 'Day (UTC)',
            value: (_, at) => (at ? new Date(at * 1000).toISOString().slice(0, 10) : '–'),
          },
          ...series.map(({ label, colour, values }) => ({
            label,
            stroke: colour[isDark ? 1 : 0],
            fill: `${colour[isDark ? 1 : 0]}22`,
            width: 2,
            // A value between two gaps is not visible as a line.
            points: { show: days.length < 3 || values.includes(null) },
            value: (_: uPlot, value: number | null) => (value === null ? '–' : format(value)),
          })),
        ],
      },
      [
        days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000),
        ...series.map(({ values }) => [...values]),
      ],
      place,
    );
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: place.clientWidth, height: HEIGHT }),
    );
    observer.observe(place);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [days, series, format, least, isDark]);
  return (
    <figure className="time-chart">
      <div ref={frame} role="img" aria-label={summary} />
      <div className="visually-hidden">
        <table>
          <caption>{summary}</caption>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              {series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {series.map(({ label, values, texts }) => {
                  const value = values[index] ?? null;
                  return (
                    <td key={label}>{texts?.[index] ?? (value === null ? '–' : format(value))}</td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
