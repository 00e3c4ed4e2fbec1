import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { writeProofMail } from '../send-due-mails.ts';
import { askPage, thanksPage } from './pages.ts';

const HOSTILE = `<script>alert(1)</script>"'&`;

const ask = (text: string) =>
  askPage({
    facts: { name: text, email: text, companyName: text, website: text },
    programName: text,
    token: text,
    digest: text,
    isChanged: true,
  });

test('nothing that anyone wrote becomes markup', () => {
  const texts = fc.oneof(fc.constant(HOSTILE), anyText());
  const tagsOf = (text: string) =>
    [
      ask(text),
      thanksPage(text, text),
      writeProofMail('a@b.example', text, 'https://a.example').html,
    ].map((html) => html.match(/<[a-z!/][^>]*>/gi)?.length);
  const calm = tagsOf('a');
  fc.assert(fc.property(texts, (text) => assert.deepEqual(tagsOf(text), calm)));
  expect(ask(HOSTILE)).not.toContain('<script');
});

test('a mail has the link in both forms', () => {
  const link = 'https://refer.example.com/partner-applications/verify?token=t';
  const mail = writeProofMail('a@b.example', 'Friends & Co', link);
  expect(mail.text).toContain(`\n${link}\n`);
  expect(mail.html).toContain(`href="${link}"`);
  expect(mail.html).toContain('Friends &amp; Co');
});
