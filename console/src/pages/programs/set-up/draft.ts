import type { BenefitKind } from '../delivery-words.ts';
import { landingPageFault } from '../landing-page.ts';
import { DEFAULT_POLICY, type PolicyText, toPolicy, toText } from '../policy-words.ts';
import type { ProgramKind, Rule } from '../queries.ts';
import {
  checkTerms,
  NEW_TERMS,
  type TermsErrors,
  type TermsForm,
  type TermsRule,
} from '../terms/terms-form.ts';

export type Role = Rule['beneficiaryRole'];

/** The benefit of one side. */
export interface Side {
  readonly isOn: boolean;
  readonly eventType: 'signup' | 'purchase';
  readonly terms: TermsForm;
}

/** How rewards reach people, as typed. A method that was not chosen is the proposed one. */
export interface DeliveryText {
  readonly methods: Partial<Record<BenefitKind, string>>;
  /** Null for the proposal. */
  readonly holdDays: string | null;
}

/** The answers of the guided set-up, before anything is created. */
export interface Draft {
  readonly kind: ProgramKind;
  readonly name: string;
  readonly preset: string | null;
  readonly sides: Readonly<Record<Role, Side>>;
  readonly delivery: DeliveryText;
  readonly landingPageUrl: string;
  /** Whether to allow the landing page's origin. */
  readonly allowsOrigin: boolean;
  readonly policy: PolicyText;
  readonly partnerApplicationsOpen: boolean;
  readonly activates: boolean;
}

const side = (isOn: boolean, eventType: Side['eventType']): Side => ({
  isOn,
  eventType,
  terms: NEW_TERMS,
});

export const NEW_DRAFT: Draft = {
  kind: 'referral',
  name: '',
  preset: null,
  sides: {
    referrer: side(true, 'purchase'),
    referee: side(false, 'signup'),
    subject: side(true, 'purchase'),
  },
  delivery: { methods: {}, holdDays: null },
  landingPageUrl: '',
  allowsOrigin: true,
  policy: toText(DEFAULT_POLICY),
  partnerApplicationsOpen: true,
  activates: true,
};

export const rolesOf = (kind: ProgramKind): readonly Role[] =>
  kind === 'loyalty' ? ['subject'] : ['referrer', 'referee'];

const STEPS = ['kind', 'earn', 'delivery', 'links', 'review', 'done'] as const;
export type Step = (typeof STEPS)[number];

/** Loyalty has no links, so this step is left out. */
export const stepsOf = (kind: ProgramKind): readonly Step[] =>
  STEPS.filter((step) => step !== 'links' || kind !== 'loyalty');

/** The rule that a side becomes. A milestone is always a bonus. */
export const ruleOf = ({ eventType, terms }: Side, role: Role): TermsRule => ({
  eventType,
  beneficiaryRole: role,
  purpose: terms.growth === 'milestone' ? 'bonus' : 'primary',
});

export function sideErrors(side: Side, role: Role): TermsErrors {
  return side.isOn ? checkTerms(side.terms, ruleOf(side, role)) : {};
}

export function holdFault(typed: string | null): string | undefined {
  if (typed === null) return undefined;
  const text = typed.trim();
  return /^\d{1,3}$/.test(text) && Number(text) <= 365 ? undefined : 'A whole number from 0 to 365';
}

/** Why a step is incomplete; null if it is complete. */
export function faultOf(step: Step, draft: Draft, environment: 'sandbox' | 'live'): string | null {
  const roles = rolesOf(draft.kind);
  switch (step) {
    case 'kind':
      return draft.name.trim() === '' ? 'Give the program a name.' : null;
    case 'earn':
      if (!roles.some((role) => draft.sides[role].isOn)) {
        return 'At least one side has to earn something. Turn one on.';
      }
      return roles.every((role) => Object.keys(sideErrors(draft.sides[role], role)).length === 0)
        ? null
        : 'Some fields are not valid.';
    case 'delivery':
      return holdFault(draft.delivery.holdDays) ? 'Rewards are held for 0 to 365 days.' : null;
    case 'links': {
      if (draft.landingPageUrl.trim() === '') return 'Enter the page that links lead to.';
      const fault = landingPageFault(draft.landingPageUrl, environment);
      if (fault) return `The landing page: ${fault}.`;
      return toPolicy(draft.policy) ? null : 'A click counts for 1 to 365 days.';
    }
    default:
      return null;
  }
}
