import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { axisRange, axisSize, labelTicks } from './chart-axis.ts';
import { chartTip, type TipRow } from './chart-tip.ts';

export interface Series {
  readonly label: string;
  /** A CSS colour for light and for dark pages. */
  readonly colour: readonly [string, string];
  /** Null on days without a value. */
  readonly values: readonly (number | null)[];
  /** The same as text, if a number cannot be exact. */
  readonly texts?: readonly string[];
  /** A value lasts until the next one. */
  readonly isStepped?: boolean;
}

interface LineChartProps {
  /** Announced in place of the chart: what it shows, in a sentence. */
  readonly summary: string;
  /** Ascending. Times are in seconds. */
  readonly places: readonly number[];
  readonly axis: ChartAxis;
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** The minimum end of the axis: smaller steps would have equal labels, or be meaningless. */
  readonly least: number;
  readonly height?: number;
}

/** What the places are. */
interface ChartAxis {
  readonly label: string;
  readonly isTime: boolean;
  readonly format: (place: number) => string;
}

const HEIGHT = 220;

function sayValue({ values, texts }: Series, index: number, format: LineChartProps['format']) {
  const value = values[index] ?? null;
  return texts?.[index] ?? (value === null ? '–' : format(value));
}

/** Numbers by place. The same numbers are in a table for screen readers. */
export function LineChart(props: LineChartProps) {
  const { summary, places, axis: along, series, format, least, height = HEIGHT } = props;
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
    const stepped = uPlot.paths.stepped?.({ align: 1 });
    const rowsAt = (index: number): readonly TipRow[] => [
      [along.label, along.format(places[index] ?? 0)],
      ...series.map((one): TipRow => [one.label, sayValue(one, index, format)]),
    ];
    const chart = new uPlot(
      {
        width: place.clientWidth,
        height,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
        legend: { show: false },
        padding: [8, 12, 0, 0],
        plugins: [chartTip(rowsAt)],
        cursor: { y: false, drag: { x: false, y: false } },
        scales: {
          x: { time: along.isTime },
          y: { range: (_, low, high) => axisRange(low, high, least) },
        },
        axes: [
          along.isTime
            ? axis
            : { ...axis, size: 28, values: (_, ticks) => labelTicks(ticks, along.format) },
          {
            ...axis,
            size: (_, labels) => axisSize(labels),
            values: (_, ticks) => labelTicks(ticks, format),
          },
        ],
        series: [
          {},
          ...series.map(({ colour, values, isStepped }) => ({
            stroke: colour[isDark ? 1 : 0],
            fill: `${colour[isDark ? 1 : 0]}22`,
            width: 2,
            // Whole pixels would bend a straight line.
            pxAlign: 0,
            ...(isStepped && stepped ? { paths: stepped } : {}),
            // A value between two gaps is not visible as a line.
            points: { show: places.length < 3 || values.includes(null) },
          })),
        ],
      },
      [[...places], ...series.map(({ values }) => [...values])],
      place,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height }));
    observer.observe(place);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [places, along, series, format, least, height, isDark]);
  return (
    <figure className="time-chart">
      <div ref={frame} role="img" aria-label={summary} />
      <div className="visually-hidden">
        <table>
          <caption>{summary}</caption>
          <thead>
            <tr>
              <th scope="col">{along.label}</th>
              {series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map((place, index) => (
              <tr key={place}>
                <th scope="row">{along.format(place)}</th>
                {series.map((one) => (
                  <td key={one.label}>{sayValue(one, index, format)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
