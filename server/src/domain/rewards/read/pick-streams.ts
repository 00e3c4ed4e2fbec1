import type { ProgramBook } from '../../programs/program-book.ts';
import type { BenefitKind } from '../../programs/rules/benefit-words.ts';
import {
  DELIVERY_METHODS,
  type DeliveryMethod,
  FULFILLMENT_STATUSES,
  type FulfillmentStatus,
} from '../decide/states.ts';
import type { RewardRow } from '../reward.ts';

/** Null means any. */
export interface RewardFilter {
  readonly programId: string | null;
  readonly beneficiaryParticipantId: string | null;
  readonly beneficiaryRole: RewardRow['beneficiaryRole'] | null;
  readonly benefitKind: BenefitKind | null;
  readonly deliveryMethod: DeliveryMethod | null;
  readonly fulfillmentStatus: FulfillmentStatus | null;
  readonly eventId: string | null;
}

/**
 * The values of a few columns that together cover every match, each combination a separate stream;
 * without columns, there is one stream.
 */
export type RewardStreams = Readonly<
  Partial<Record<'programId' | 'deliveryMethod' | 'fulfillmentStatus', readonly string[]>>
>;

/** Whether a list needs to know the Programs. */
export function asksForPrograms(filter: RewardFilter): boolean {
  return filter.beneficiaryParticipantId !== null || asksForSome(filter);
}

function asksForSome({ programId, beneficiaryRole, benefitKind }: RewardFilter): boolean {
  return programId !== null || beneficiaryRole !== null || benefitKind !== null;
}

/**
 * Splits a list into streams that an index holds in the list's order. An index of several columns
 * gives that order only if all but the last are fixed, so columns that the filter leaves open are
 * enumerated: Programs, statuses and methods are few.
 */
export function pickStreams(filter: RewardFilter, book: ProgramBook): RewardStreams {
  if (filter.eventId !== null) return {};
  if (filter.beneficiaryParticipantId !== null) return { programId: programsOf(filter, book) };
  const asksForState =
    filter.fulfillmentStatus !== null || (filter.deliveryMethod !== null && !asksForSome(filter));
  if (asksForState) {
    return {
      fulfillmentStatus: filter.fulfillmentStatus
        ? [filter.fulfillmentStatus]
        : FULFILLMENT_STATUSES,
      deliveryMethod: filter.deliveryMethod ? [filter.deliveryMethod] : DELIVERY_METHODS,
    };
  }
  return asksForSome(filter) ? { programId: programsOf(filter, book) } : {};
}

/** The Programs with a rule that gives, or once gave, a matching Reward. */
function programsOf(filter: RewardFilter, book: ProgramBook): string[] {
  const { beneficiaryRole: role, benefitKind: kind, programId } = filter;
  return [...book.programs.values()]
    .filter(({ id }) => programId === null || id === programId)
    .filter(({ rules }) =>
      rules.some(
        (rule) =>
          (role === null || rule.beneficiaryRole === role) &&
          (kind === null || rule.terms.some((terms) => terms.benefitKind === kind)),
      ),
    )
    .map(({ id }) => id);
}
