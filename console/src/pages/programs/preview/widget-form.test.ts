import { expect, test } from 'vitest';
import type { ProgramConfig } from '../queries.ts';
import { checkWidget, toConfigChange, toShowable, toWidgetForm } from './widget-form.ts';

const CONFIG: ProgramConfig = {
  schemaVersion: 1,
  brandConfig: { primaryColor: '#4F46E5', landingPageUrl: 'https://example.com' },
  partnerApplicationsOpen: false,
  partnerLeaderboard: false,
  widgetConfig: {
    position: 'bottom-right',
    triggerText: 'Invite & earn',
    icon: 'gift',
    title: 'Invite your friends',
    subtitle: '',
    logoUrl: '',
    cssVariables: { '--radius': '4px' },
    shareMessage: 'Join me',
    enabledPlatforms: {
      facebook: true,
      twitter: true,
      linkedin: true,
      whatsapp: true,
      email: true,
      instagram: true,
      telegram: true,
    },
    referralLink: '',
    productName: 'Acme',
  },
};
const form = toWidgetForm(CONFIG);

test('what is opened and saved unchanged stays the same', () => {
  const { referralLink: _, ...widget } = CONFIG.widgetConfig;
  expect(checkWidget(form)).toEqual({});
  expect(toConfigChange(form)).toEqual({
    brandConfig: { primaryColor: '#4F46E5' },
    widgetConfig: widget,
  });
});

test('what the service would refuse is said at its field', () => {
  const fields = (change: Partial<typeof form>) => Object.keys(checkWidget({ ...form, ...change }));
  const variable = (name: string, value: string) =>
    fields({
      cssVariables: [
        { name: '--text', value: '#111' },
        { name, value },
      ],
    });
  expect(fields({ primaryColor: 'green' })).toEqual(['primaryColor']);
  expect(fields({ logoUrl: 'http://example.com/a.png' })).toEqual(['logoUrl']);
  expect(fields({ logoUrl: 'https://example.com/a.png' })).toEqual([]);
  expect(variable('radius', '1px')).toEqual(['cssVariables.1']);
  expect(variable('--text', '#222')).toEqual(['cssVariables.1']);
  expect(variable('--font', 'a; color: red')).toEqual(['cssVariables.1']);
  expect(variable('--font', 'URL(x)')).toEqual(['cssVariables.1']);
  expect(variable('--font', 'Georgia, serif')).toEqual([]);
});

test('the preview goes on with what was right while something is half typed', () => {
  const typed = {
    ...form,
    title: 'New',
    primaryColor: '#12',
    logoUrl: 'https',
    cssVariables: [...form.cssVariables, { name: '--', value: '' }],
  };
  expect(toShowable(typed, form)).toEqual({ ...form, title: 'New' });
});
