import { expect, test } from 'vitest';
import { sayAction } from './say-action.ts';

test.each([
  ['webhook_endpoint.change', 'changed a webhook endpoint'],
  ['api_key.create', 'created an API key'],
  ['attribution_policy.publish', 'published an attribution policy'],
  ['risk_policy.publish', 'published a risk policy'],
  ['risk_lists.change', 'changed the lists of what is allowed and watched'],
  ['reward_terms.publish', 'published the terms of a rule'],
  ['payout_settings.change', 'changed the payout settings'],
  ['delivery_settings.change', 'changed the delivery settings of a program'],
  ['payout_batch.approve', 'approved a payout batch'],
  ['payout_batch.cancel', 'cancelled a payout batch'],
  ['reward.void', 'voided a reward'],
  ['partner.suspend', 'suspended a partner'],
  ['benefit_rule.rename', 'renamed a benefit rule'],
  ['payout_details.save', 'saved the payout details'],
  ['user.role', 'changed the role of a member'],
  ['user.sign_out', 'signed out'],
  ['partner.reinstate', 'reinstated a partner'],
  ['participant.erase', 'erased a participant'],
  ['invitation.revoke', 'revoked an invitation'],
])('%s: somebody %s', (action, sentence) => {
  expect(sayAction(action)).toBe(sentence);
});
