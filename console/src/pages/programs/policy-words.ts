import type { Policy, ProgramKind } from './queries.ts';

export type PolicyChoice = Pick<Policy, 'model' | 'windowDays' | 'bindingTrigger'>;

export const DEFAULT_POLICY: PolicyChoice = {
  model: 'last_touch',
  windowDays: 90,
  bindingTrigger: 'signup',
};

export const isDefaultPolicy = (choice: PolicyChoice) =>
  choice.model === DEFAULT_POLICY.model &&
  choice.windowDays === DEFAULT_POLICY.windowDays &&
  choice.bindingTrigger === DEFAULT_POLICY.bindingTrigger;

/** The meaning of a policy: who gets the credit, for how long, and what binds it. */
export function describePolicy(choice: PolicyChoice, kind: ProgramKind): string {
  const { model, windowDays, bindingTrigger } = choice;
  const sharer = kind === 'affiliate' ? 'partner' : 'person';
  const which = model === 'last_touch' ? 'clicked last' : 'clicked first';
  const act = bindingTrigger === 'signup' ? 'signs up' : 'starts a subscription';
  const days = windowDays === 1 ? '1 day' : `${windowDays} days`;
  return `A person who ${act} within ${days} of a click counts for the ${sharer} whose link they ${which}. A typed code takes precedence over clicks.`;
}

/** A policy as typed. */
export type PolicyText = Omit<PolicyChoice, 'windowDays'> & { readonly windowDays: string };

export const toText = (policy: PolicyChoice): PolicyText => ({
  model: policy.model,
  bindingTrigger: policy.bindingTrigger,
  windowDays: String(policy.windowDays),
});

/** Null while the days are invalid. */
export function toPolicy(choice: PolicyText): PolicyChoice | null {
  const days = /^\d{1,3}$/.test(choice.windowDays.trim()) ? Number(choice.windowDays) : 0;
  return days >= 1 && days <= 365 ? { ...choice, windowDays: days } : null;
}
