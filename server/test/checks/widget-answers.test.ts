import { readFileSync } from 'node:fs';
import { Compile } from 'typebox/compile';
import { expect, expectTypeOf, test } from 'vitest';
import type * as panel from '../../../widget/src/api-types.ts';
import { DEFAULT_CONFIG } from '../../src/domain/programs/program-config.ts';
import type { PayoutDetails } from '../../src/outbound/payouts/details/details-schema.ts';
import { WidgetRewards, type WidgetStart } from '../../src/surfaces/widget/schema.ts';
import { EVERY_STATE } from '../browser/widget-answers.ts';

test('the panel reads of each answer what is in it, or this does not compile', () => {
  expectTypeOf<WidgetStart>().toExtend<panel.Start>();
  expectTypeOf<WidgetRewards>().toExtend<panel.RewardPage>();
  expectTypeOf<PayoutDetails>().toExtend<panel.PayoutDetails>();
});

test('what the panel is shown in the service’s place is what the service could answer', () => {
  const answers = Compile(WidgetRewards);
  expect(answers.Errors(EVERY_STATE)).toEqual([]);
  expect(answers.Check({ ...EVERY_STATE, items: [{}] })).toBe(false);
});

test('the panel knows the texts that a Program begins with, so that it can translate them', () => {
  const english = JSON.parse(
    readFileSync(new URL('../../../widget/src/texts/en.json', import.meta.url), 'utf8'),
  );
  const { triggerText, title, subtitle, shareMessage } = DEFAULT_CONFIG.widgetConfig;
  expect(english).toMatchObject({ triggerText, title, subtitle, shareMessage });
});
