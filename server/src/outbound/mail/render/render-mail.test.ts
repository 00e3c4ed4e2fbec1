import { describe, expect, test } from 'vitest';
import { LANGUAGES, PERSON_KINDS } from '../kinds.ts';
import { readableOn } from './mail-html.ts';
import { findUnknownPlaceholder } from './mail-texts.ts';
import { type PersonMail, renderMail, TEXTS } from './render-mail.ts';
import { renderTeamMail } from './team-mail.ts';

const mail: PersonMail = {
  kind: 'reward_earned',
  language: 'en',
  brand: {
    programName: 'Refer a friend',
    productName: 'Acme',
    logoUrl: null,
    colour: '#1f5f4a',
    pageUrl: 'https://example.com/rewards',
  },
  name: 'Ada',
  data: {
    money: { amountMinor: '1234567890123456789', currency: 'USD', currencyExponent: 2 },
    availableAt: '2026-12-15T09:30:00.000Z',
  },
  ownTexts: {},
  unsubscribeUrl: 'https://refer.example.com/mail/unsubscribe?token=t',
};

test('a mail names the amount, exactly, and the day', () => {
  const { subject, text, html } = renderMail(mail);
  expect(subject).toBe('You earned $12,345,678,901,234,567.89');
  for (const form of [text, html]) {
    expect(form).toContain('Hello Ada,');
    expect(form).toContain('It is available from December 15, 2026.');
    expect(form).toContain('https://example.com/rewards');
    expect(form).toContain('unsubscribe?token=t');
  }
});

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(PERSON_KINDS)('%s has a text with known placeholders, all of them filled', (kind) => {
    const { subject, body } = TEXTS[language].kinds[kind];
    expect(findUnknownPlaceholder(kind, subject + body)).toBeUndefined();
    const rendered = renderMail({ ...mail, language, kind });
    expect(rendered.subject + rendered.text).not.toMatch(/[{}]/);
    expect(rendered.html).toContain(`<html lang="${language}"`);
  });
  test('amounts and days are written as usual there', () => {
    const money = { amountMinor: '1050', currency: 'EUR', currencyExponent: 2 };
    const { text } = renderMail({ ...mail, language, data: { ...mail.data, money } });
    const amount = new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR' });
    expect(text).toContain(amount.format(10.5));
    const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
    expect(text).toContain(day.format(Date.parse('2026-12-15')));
  });
});

test('text of others cannot become markup or another header', () => {
  const brand = {
    ...mail.brand,
    productName: '<b>Acme</b>',
    programName: 'A\r\nBcc: x@example.com',
  };
  const own = { subject: '{program}', body: '<script>{product}</script>' };
  const ownTexts = { en: { reward_earned: own } };
  const { subject, html } = renderMail({ ...mail, name: '<i>{reward}</i>', brand, ownTexts });
  expect(subject).toBe('A Bcc: x@example.com');
  expect(html).not.toMatch(/<(b|i|script)>/);
  expect(html).toContain('&lt;i&gt;{reward}&lt;/i&gt;');
});

test('a Program’s own text replaces the default of that kind and language only', () => {
  const ownTexts = { de: { reward_earned: { subject: 'Toll: {reward}', body: 'Eins.\n\nZwei.' } } };
  const { subject, text } = renderMail({ ...mail, language: 'de', ownTexts });
  expect(subject).toMatch(/^Toll: /);
  expect(text).toContain('Eins.\n\nZwei.');
  expect(renderMail({ ...mail, ownTexts }).subject).toMatch(/^You earned/);
});

test('an unknown placeholder is found', () => {
  expect(findUnknownPlaceholder('friend_joined', 'Hi {reward}')).toBe('reward');
  expect(findUnknownPlaceholder('friend_joined', '{}')).toBe('');
  expect(findUnknownPlaceholder('reward_paid', '{reward} {product}')).toBeUndefined();
});

test('without a name, a page or a way to unsubscribe, these are left out', () => {
  const brand = { ...mail.brand, pageUrl: null };
  const { text, html } = renderMail({ ...mail, name: null, brand, unsubscribeUrl: null });
  expect(text).toMatch(/^Hello,\n/);
  expect(html).not.toContain('<a ');
});

test('a discount and a number of something are written in words', () => {
  const rewardOf = (data: PersonMail['data']) => renderMail({ ...mail, data }).subject;
  expect(rewardOf({ discountBps: 1_250 })).toBe('You earned 12.5% discount');
  const custom = { quantity: 2, unitName: 'seat', unitNamePlural: 'seats' };
  expect(rewardOf({ custom })).toBe('You earned 2 seats');
  expect(rewardOf({ custom: { ...custom, quantity: 1 } })).toBe('You earned 1 seat');
});

test('a button is readable on every colour', () => {
  expect(readableOn('#000000')).toBe('#ffffff');
  expect(readableOn('#ffffff')).toBe('#000000');
  expect(readableOn('#1f5f4a')).toBe('#ffffff');
  expect(readableOn('#ffd400')).toBe('#000000');
});

test('a mail to the team leads to the page where something is to do', () => {
  const { subject, text } = renderTeamMail({
    kind: 'payout_batch_to_approve',
    projectId: 'prj_1',
    projectName: 'Acme',
    name: 'Grace',
    about: '$15.00',
    baseUrl: 'https://refer.example.com',
    unsubscribeUrl: 'https://refer.example.com/mail/unsubscribe?token=t',
    mark: '[Sandbox] ',
  });
  expect(subject).toBe('[Sandbox] A payout batch waits for approval');
  expect(text).toContain('https://refer.example.com/console/p/prj_1/payouts');
});
