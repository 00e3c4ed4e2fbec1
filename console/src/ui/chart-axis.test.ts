import { expect, test } from 'vitest';
import { axisRange, axisSize, labelTicks } from './chart-axis.ts';
import { formatBps } from './format-rate.ts';

test('an axis of rates says no number twice, however small they are', () => {
  // Even without conversions the axis ends where its steps have different labels.
  expect(axisRange(0, 0, 100)).toEqual([0, 100]);
  expect(labelTicks([0, 20, 40, 60, 80, 100], formatBps)).toEqual([
    '0%',
    '0.2%',
    '0.4%',
    '0.6%',
    '0.8%',
    '1%',
  ]);
  expect(formatBps(4)).toBe('0.04%');
  expect(formatBps(1234)).toBe('12.3%');
  expect(formatBps(null)).toBe('–');
});

test('what would be written alike is written once', () => {
  expect(labelTicks([0, 0.2, 0.4, 0.6, 0.8, 1], (value) => value.toFixed(0))).toEqual([
    '0',
    '',
    '',
    '1',
    '',
    '',
  ]);
});

test('an axis has room above the highest value, and goes below zero where values do', () => {
  expect(axisRange(0, 200, 5)).toEqual([0, 220.00000000000003]);
  expect(axisRange(-3, 1, 5)).toEqual([-3, 5]);
});

test('an axis is as wide as its longest label, and has a least width', () => {
  expect(axisSize(null)).toBe(axisSize(['0', '5']));
  expect(axisSize(['$0.00', '$150.00'])).toBeGreaterThan(7 * 7);
  expect(axisSize(['€0.00', '€1,000,000,000.00'])).toBeGreaterThan(17 * 7);
});
