import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUrl } from '../../../test/any-text.ts';
import {
  DEFAULT_CONFIG,
  findConfigIssues,
  isHttpsAddress,
  isLandingPageAllowed,
  mergeConfig,
  PLATFORMS,
} from './program-config.ts';

const custom = mergeConfig(DEFAULT_CONFIG, {
  brandConfig: { primaryColor: '#00FF00', landingPageUrl: 'https://example.com' },
  partnerApplicationsOpen: true,
  widgetConfig: {
    title: 'Hello',
    cssVariables: { '--a': '1', '--b': '2' },
    enabledPlatforms: { telegram: false },
  },
});

test('a change touches only the fields it names (D-PROG-1)', () => {
  const merged = mergeConfig(custom, {
    widgetConfig: { subtitle: 'World', enabledPlatforms: { email: false } },
  });
  expect(merged).toEqual({
    ...custom,
    widgetConfig: {
      ...custom.widgetConfig,
      subtitle: 'World',
      enabledPlatforms: { ...custom.widgetConfig.enabledPlatforms, email: false },
    },
  });
  expect(merged.widgetConfig.enabledPlatforms.telegram).toBe(false);
});

test('cssVariables are replaced as a whole', () => {
  const merged = mergeConfig(custom, { widgetConfig: { cssVariables: { '--c': '3' } } });
  expect(merged.widgetConfig.cssVariables).toEqual({ '--c': '3' });
});

test('null brings a default back: of a field, a block or everything', () => {
  expect(mergeConfig(custom, { brandConfig: { primaryColor: null } }).brandConfig).toEqual({
    primaryColor: DEFAULT_CONFIG.brandConfig.primaryColor,
    landingPageUrl: 'https://example.com',
  });
  const noPlatforms = mergeConfig(custom, { widgetConfig: { enabledPlatforms: null } });
  expect(noPlatforms.widgetConfig).toEqual({
    ...custom.widgetConfig,
    enabledPlatforms: DEFAULT_CONFIG.widgetConfig.enabledPlatforms,
  });
  expect(mergeConfig(custom, { partnerApplicationsOpen: null }).partnerApplicationsOpen).toBe(
    false,
  );
  expect(mergeConfig(custom, { widgetConfig: null }).widgetConfig).toEqual(
    DEFAULT_CONFIG.widgetConfig,
  );
  expect(mergeConfig(custom, null)).toEqual(DEFAULT_CONFIG);
});

test('sending back what was read changes nothing, and a referral link is never kept', () => {
  const platforms = fc.record(
    Object.fromEntries(PLATFORMS.map((platform) => [platform, fc.boolean()])),
  );
  fc.assert(
    fc.property(platforms, fc.string(), (enabledPlatforms, title) => {
      const config = mergeConfig(custom, { widgetConfig: { enabledPlatforms, title } });
      expect(mergeConfig(config, config)).toEqual(config);
      const linked = { ...config.widgetConfig, referralLink: 'https://example.com/l/x' };
      expect(mergeConfig(config, { widgetConfig: linked })).toEqual(config);
    }),
  );
});

test('a change leaves the config and the defaults it started from alone', () => {
  const before = structuredClone([custom, DEFAULT_CONFIG]);
  mergeConfig(custom, { widgetConfig: { enabledPlatforms: { email: false } }, brandConfig: null });
  expect([custom, DEFAULT_CONFIG]).toEqual(before);
});

test('partner applications can be open only in an affiliate program (D-PROG-4)', () => {
  const paths = (kind: 'referral' | 'affiliate' | 'loyalty') =>
    findConfigIssues(custom, kind, 'live').map(({ path }) => path);
  expect(paths('affiliate')).toEqual([]);
  expect(paths('referral')).toEqual(['config.partnerApplicationsOpen']);
  expect(paths('loyalty')).toEqual(['config.partnerApplicationsOpen']);
});

test('a leaderboard is off unless it is turned on, and only an affiliate program has one', () => {
  expect(DEFAULT_CONFIG.partnerLeaderboard).toBe(false);
  const shown = mergeConfig(DEFAULT_CONFIG, { partnerLeaderboard: true });
  expect(mergeConfig(shown, { partnerApplicationsOpen: true })).toMatchObject({
    partnerLeaderboard: true,
    partnerApplicationsOpen: true,
  });
  expect(mergeConfig(shown, { partnerLeaderboard: null }).partnerLeaderboard).toBe(false);
  expect(findConfigIssues(shown, 'affiliate', 'live')).toEqual([]);
  expect(findConfigIssues(shown, 'referral', 'live')).toMatchObject([
    { path: 'config.partnerLeaderboard' },
  ]);
  const { partnerLeaderboard: _, ...stored } = DEFAULT_CONFIG;
  expect(mergeConfig(stored as typeof DEFAULT_CONFIG, {}).partnerLeaderboard).toBe(false);
});

test('a landing page is https, or http on this machine, or any http in a sandbox (D-PROG-2)', () => {
  const table: [string, boolean, boolean][] = [
    ['https://example.com/a?b=c#d', true, true],
    ['HTTPS://EXAMPLE.COM', true, true],
    ['http://example.com', false, true],
    ['http://localhost:3000/x', true, true],
    ['http://app.localhost', true, true],
    ['http://127.0.0.1', true, true],
    ['http://127.9.9.9:8080', true, true],
    ['http://[::1]:3000', true, true],
    ['http://127.0.0.1.example.com', false, true],
    ['http://localhost.example.com', false, true],
    ['http://notlocalhost', false, true],
    ['https://user:secret@example.com', false, false],
    ['https://', false, false],
    ['https:example.com', false, false],
    ['//example.com', false, false],
    ['ftp://example.com', false, false],
    ['javascript:alert(1)', false, false],
    [' https://example.com', false, false],
    ['https://exa\nmple.com', false, false],
    ['https:\\\\example.com', false, false],
    ['example.com', false, false],
  ];
  for (const [text, live, sandbox] of table) {
    expect([text, isLandingPageAllowed(text, 'live')]).toEqual([text, live]);
    expect([text, isLandingPageAllowed(text, 'sandbox')]).toEqual([text, sandbox]);
  }
});

test('a logo is https in every environment', () => {
  expect(isHttpsAddress('https://example.com/logo.png')).toBe(true);
  expect(isHttpsAddress('http://localhost/logo.png')).toBe(false);
});

test('no text at all can make the address check throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        anyUrl(),
        fc.string().map((s) => `https://${s}`),
      ),
      (text) => {
        expect(typeof isLandingPageAllowed(text, 'live')).toBe('boolean');
      },
    ),
  );
});
