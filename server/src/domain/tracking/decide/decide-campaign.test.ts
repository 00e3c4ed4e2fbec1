import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  admitCampaign,
  CAMPAIGNS_MAX,
  nameCampaign,
  OTHER_CAMPAIGNS,
  readCampaignName,
  readCampaignPart,
} from './decide-campaign.ts';

const visit = (utmSource: string | null, utmMedium?: string, utmCampaign?: string) => ({
  utmSource,
  utmMedium: utmMedium ?? null,
  utmCampaign: utmCampaign ?? null,
});

test.each([
  [visit(null), null],
  [visit('  ', ' '), null],
  [visit('Newsletter', 'E-Mail', ' Spring  Sale 2026 '), 'newsletter\te-mail\tspring sale 2026'],
  [visit(null, undefined, 'launch'), '\t\tlaunch'],
  [
    visit('backtoschool2026', undefined, '2026q4newsletter'),
    'backtoschool2026\t\t2026q4newsletter',
  ],
  [visit('look at this', 'at', 'sale at acme'), 'look at this\tat\tsale at acme'],
  [visit('data.example.com', 'at-home', 'dot com'), 'data.example.com\tat-home\tdot com'],
  [visit('50% off', '100%', 'chat.example.com'), '50% off\t100%\tchat.example.com'],
  [visit('ＳＡＬＥ', undefined, '夏'), 'ｓａｌｅ\t\t夏'],
  [visit('black-friday_2026-11-27_retargeting'), 'black-friday_2026-11-27_retargeting\t\t'],
  [visit('x'.repeat(20).replaceAll('x', 'é').repeat(4)), `${'é'.repeat(64)}\t\t`],
])('%o is counted as %j', (given, name) => {
  expect(nameCampaign(given)).toBe(name);
});

test.each([
  'ada@example.com',
  'ada%40example.com',
  'ada%2540example.com',
  '50% ada%40example.com',
  'ada＠example.com',
  'ada﹫example.com',
  'ada%EF%BC%A0example.com',
  'ada\u200b@\u200bexample.com',
  'ada&#64;example.com',
  'ada at example.com',
  'Ada (AT) Example.com',
  'ada[at]example[dot]com',
  'ada at example dot com',
  'ada a\u200bt example.com',
  'ada_at_example.com',
  'ａｄａ ａｔ ｅｘａｍｐｌｅ．ｃｏｍ',
  'ada at bücher.example',
  '550e8400-e29b-41d4-a716-446655440000',
  '4915112345678',
  '+49 170 123 4567',
  '٠١٢٣٤٥٦٧٨٩٠',
  '４９１５１１２３４５６７８',
  'D41D8CD98F00B204E9800998ECF8427E',
  'EAIaIQobChMI8d3vt4',
  'user-a1b2c3d4e5f6a7b8',
])('%s may name a person, and is not kept', (text) => {
  for (const given of [visit(text), visit('blog', text), visit('blog', 'post', `to ${text}`)]) {
    expect(nameCampaign(given)).toBe(OTHER_CAMPAIGNS);
  }
});

test('a name is read as it was written', () => {
  expect(readCampaignName('blog\t\tlaunch')).toEqual({
    source: 'blog',
    medium: null,
    campaign: 'launch',
  });
  expect(readCampaignName(OTHER_CAMPAIGNS)).toEqual({ source: null, medium: null, campaign: null });
  expect(readCampaignPart('2026-11\tblog\t\tlaunch')).toEqual({
    month: '2026-11',
    name: 'blog\t\tlaunch',
  });
});

test('whatever comes, a month has at most so many names, and those it has keep counting', () => {
  const names = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 250, maxLength: 600 });
  fc.assert(
    fc.property(names, (numbers) => {
      const known = new Set<string>();
      for (const number of numbers) {
        const had = known.has(`2026-11\tblog\t\t${number}`);
        const part = admitCampaign(known, '2026-11', `blog\t\t${number}`);
        if (had) expect(part).toBe(`2026-11\tblog\t\t${number}`);
        known.add(part);
      }
      known.delete(`2026-11\t${OTHER_CAMPAIGNS}`);
      expect(known.size).toBe(Math.min(CAMPAIGNS_MAX, new Set(numbers).size));
    }),
    { numRuns: 100 },
  );
});
