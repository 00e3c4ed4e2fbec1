import { expect, test } from 'vitest';
import { changeOf, endsNow, type SettingsValues } from './settings-values.ts';

const saved: SettingsValues = {
  name: 'Partners',
  startDate: '',
  endDate: '2026-12-01T10:00',
  landingPageUrl: 'https://example.com/',
  primaryColor: '#1f5f4a',
  productName: 'Acme',
  logoUrl: '',
  isOpen: false,
  hasLeaderboard: false,
};
const change = (values: Partial<SettingsValues>) => changeOf(saved, { ...saved, ...values });

test('what is as it was is not sent', () => {
  expect(change({})).toEqual({});
  expect(change({ name: ' Partners ' })).toEqual({});
});

test('each part of the configuration is sent alone', () => {
  expect(change({ primaryColor: '#a5461f' })).toEqual({
    config: { brandConfig: { primaryColor: '#a5461f' } },
  });
  expect(change({ logoUrl: ' https://example.com/a.svg ', isOpen: true })).toEqual({
    config: {
      widgetConfig: { logoUrl: 'https://example.com/a.svg' },
      partnerApplicationsOpen: true,
    },
  });
  expect(change({ productName: '', name: 'Friends' })).toEqual({
    name: 'Friends',
    config: { widgetConfig: { productName: '' } },
  });
});

test('only a new end that has passed ends the program', () => {
  const now = Date.parse('2026-12-02T00:00:00');
  expect(endsNow(saved, saved, now)).toBe(false);
  expect(endsNow({ ...saved, endDate: '2026-12-01T11:00' }, saved, now)).toBe(true);
  expect(endsNow({ ...saved, endDate: '2026-12-03T00:00' }, saved, now)).toBe(false);
  expect(endsNow({ ...saved, endDate: '' }, saved, now)).toBe(false);
});
