import { humanize } from '../../../ui/words.ts';

/** Actions whose sentence is not made of their verb and their object. */
const SENTENCES: Readonly<Record<string, string>> = {
  'adjustment.drop': 'dropped an adjustment whose purchase never arrived',
  'invitation.accept': 'accepted an invitation',
  'list.export': 'exported a list',
  'participant.void_rewards': 'voided the rewards of an erased participant',
  'payout.result': 'recorded the result of a payout',
  'payout_batch.export': 'exported a payout batch',
  'program.change_status': 'changed the status of a program',
  'project.set_clock': 'moved the clock of a project',
  'risk_lists.change': 'changed the lists of what is allowed and watched',
  'rows.import': 'imported rows',
  'stripe_parked.resolve': 'settled a parked Stripe event',
  'user.backup_codes': 'made new backup codes',
  'user.password_change': 'changed the password',
  'user.password_reset': 'set a new password',
  'user.provider_link': 'connected an identity provider',
  'user.remove': 'removed a member',
  'user.role': 'changed the role of a member',
  'user.session_revoke': 'ended a session',
  'user.set_up': 'set up this workspace',
  'user.sign_in': 'signed in',
  'user.sign_out': 'signed out',
  'user.totp_disable': 'turned off the second factor',
  'user.totp_enable': 'turned on the second factor',
  'user.wrong_code': 'entered a wrong code',
  'webhook_endpoint.replay': 'sent events of a webhook endpoint again',
  'webhook_endpoint.rotate_secret': 'rotated the secret of a webhook endpoint',
};

const PAST: Readonly<Record<string, string>> = {
  cancel: 'cancelled',
  publish: 'published',
  readmit: 'readmitted',
  register: 'registered',
  reject: 'rejected',
  submit: 'submitted',
  suspend: 'suspended',
  void: 'voided',
};

const OBJECTS: Readonly<Record<string, string>> = {
  api_key: 'API key',
  reward_terms: 'terms of a rule',
  payout_details: 'payout details',
  payout_settings: 'payout settings',
  delivery_settings: 'delivery settings of a program',
  team_settings: 'team settings',
  stripe_connection: 'Stripe connection',
};

/** What somebody did, to follow their name: `changed a webhook endpoint`. */
export function sayAction(action: string): string {
  const known = SENTENCES[action];
  if (known) return known;
  const [object = '', verb = ''] = action.split('.');
  if (verb === '') return humanize(action).toLowerCase();
  const past = PAST[verb] ?? `${verb.replaceAll('_', ' ')}${verb.endsWith('e') ? 'd' : 'ed'}`;
  return `${past} ${withArticle(OBJECTS[object] ?? object.replaceAll('_', ' '))}`;
}

function withArticle(words: string): string {
  if (/^(terms|\w+ (settings|details))\b/.test(words)) return `the ${words}`;
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`;
}
