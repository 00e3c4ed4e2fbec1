import type { Body } from '../../api/client.ts';
import { exponentOf, toMinor } from '../../ui/currencies.ts';

export type DryRunBody = Body<'/v1/simulations/events'>;

/** The input as typed. */
export interface DryRunForm {
  readonly type: 'signup' | 'purchase' | 'custom';
  /** The part after `custom_`. */
  readonly customType: string;
  readonly kind: 'individual' | 'group';
  readonly externalId: string;
  readonly actorExternalId: string;
  readonly refCode: string;
  readonly handle: string;
  readonly amount: string;
  readonly currency: string;
  readonly occurredAt: string | null;
  readonly sourceNamespaceId: string;
}

export const EMPTY_FORM: DryRunForm = {
  type: 'signup',
  customType: '',
  kind: 'individual',
  externalId: '',
  actorExternalId: '',
  refCode: '',
  handle: '',
  amount: '',
  currency: 'USD',
  occurredAt: null,
  sourceNamespaceId: '',
};

export type FormFaults = Partial<Record<keyof DryRunForm, string>>;

/** The body to send, or what is wrong with which field. `newEventId` is an id that no event has. */
export function readDryRun(
  projectId: string,
  form: DryRunForm,
  newEventId: string,
): { readonly body: DryRunBody } | { readonly faults: FormFaults } {
  const faults = faultsOf(form);
  if (Object.keys(faults).length > 0) return { faults };
  const isSignup = form.type === 'signup';
  const exponent = exponentOf(form.currency) ?? 2;
  const amountMinor = toMinor(form.amount, exponent);
  const hasActor = form.kind === 'group' && form.actorExternalId !== '';
  return {
    body: {
      projectId,
      sourceNamespaceId: form.sourceNamespaceId,
      type: form.type === 'custom' ? `custom_${form.customType}` : form.type,
      participant: { kind: form.kind, externalId: form.externalId },
      ...(hasActor ? { actor: { kind: 'individual', externalId: form.actorExternalId } } : {}),
      ...(isSignup && form.refCode !== '' ? { refCode: form.refCode } : {}),
      ...(isSignup && form.handle !== '' ? { identify: { handle: form.handle } } : {}),
      ...(isSignup ? {} : { sourceEventId: newEventId }),
      ...(form.type === 'purchase' && amountMinor !== null
        ? { purchase: { amountMinor, currency: form.currency, currencyExponent: exponent } }
        : {}),
      ...(form.occurredAt ? { occurredAt: form.occurredAt } : {}),
    },
  };
}

function faultsOf(form: DryRunForm): FormFaults {
  const faults: Record<string, string> = {};
  if (!/\S/.test(form.externalId)) faults.externalId = 'The participant of the event.';
  if (form.type === 'custom' && !/^[a-z0-9_]{1,57}$/.test(form.customType)) {
    faults.customType = 'Small letters, digits and _, at most 57.';
  }
  if (form.sourceNamespaceId === '') faults.sourceNamespaceId = 'Register a source first.';
  if (form.type === 'purchase' && form.amount.trim() !== '') {
    const exponent = exponentOf(form.currency);
    if (exponent === undefined) faults.currency = 'This is not a currency for payments.';
    else if (toMinor(form.amount, exponent) === null) {
      faults.amount =
        exponent === 0
          ? `A whole number: ${form.currency} has no smaller unit.`
          : `A number with at most ${exponent} decimals.`;
    }
  }
  return faults;
}

/** The form field of a path in the body. */
export const FIELD_OF_PATH: Readonly<Record<string, keyof DryRunForm>> = {
  'participant.externalId': 'externalId',
  'participant.kind': 'kind',
  'actor.externalId': 'actorExternalId',
  actor: 'actorExternalId',
  refCode: 'refCode',
  'identify.handle': 'handle',
  type: 'customType',
  'purchase.amountMinor': 'amount',
  'purchase.currency': 'currency',
  occurredAt: 'occurredAt',
  sourceNamespaceId: 'sourceNamespaceId',
};
