import Type, { type TObject, type TSchema } from 'typebox';
import { type Check, compileCheck } from '../../../platform/http/routes/validate.ts';
import { invalid } from '../../../platform/kit/errors.ts';
import { OneOf } from '../../../platform/kit/schema.ts';

/** The lists of the console that have filters, by their names in the API, with the names of their filters. */
export const FILTERS_OF_LISTS = {
  rewards: [
    'fulfillmentStatus',
    'deliveryMethod',
    'benefitKind',
    'beneficiaryRole',
    'programId',
    'beneficiaryParticipantId',
    'earned',
    'earnedFrom',
    'earnedTo',
    'order',
  ],
  participants: ['kind'],
  referrals: ['programId', 'referrerParticipantId', 'refereeParticipantId', 'order'],
  'risk-reviews': ['programId', 'signal'],
  events: ['type', 'processingState', 'participantId', 'order'],
  payouts: ['status', 'method', 'currency', 'order'],
  'payout-batches': ['status'],
  partners: ['status'],
  'partner-applications': ['status', 'programId'],
  'webhook-deliveries': ['status'],
  'audit-log': ['actorId', 'targetId', 'action'],
  mails: ['state'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The routes of the lists. */
const PATHS = {
  rewards: '/v1/rewards',
  participants: '/v1/participants',
  referrals: '/v1/referrals',
  'risk-reviews': '/v1/risk-reviews',
  events: '/v1/events',
  payouts: '/v1/payouts',
  'payout-batches': '/v1/payout-batches',
  partners: '/v1/partners',
  'partner-applications': '/v1/partner-applications',
  'webhook-deliveries': '/v1/webhook-endpoints/{endpointId}/deliveries',
  'audit-log': '/v1/audit-log',
  mails: '/v1/mails',
} as const satisfies Readonly<Record<keyof typeof FILTERS_OF_LISTS, string>>;

/** Filters of the console alone: ranges of time that move with the days. */
const CONSOLE_FILTERS: Readonly<Record<string, TSchema>> = {
  earned: OneOf(['today', '7d', '30d', '90d', 'month', 'before_30d']),
};

export type ViewList = keyof typeof FILTERS_OF_LISTS;
export const VIEW_LISTS = Object.keys(FILTERS_OF_LISTS) as ViewList[];

export type ViewFilters = Readonly<Record<string, string>>;

export const FILTERS_BYTES_MAX = 2_048;

/** The query of a list's route, by the path of the route. */
export type FindQuery = (path: string) => TObject | undefined;

/** The filters of a list, each with the schema of its values. */
export function filtersOf(list: ViewList, findQuery: FindQuery): TObject {
  const query = findQuery(PATHS[list])?.properties ?? {};
  const values = FILTERS_OF_LISTS[list].map((name) => {
    const schema = CONSOLE_FILTERS[name] ?? query[name];
    if (!schema) throw new Error(`The list ${list} has no filter ${name}.`);
    return [name, Type.Optional(schema)] as const;
  });
  return Type.Object(Object.fromEntries(values), { additionalProperties: false });
}

/** Says what is wrong with the filters of views. Each list's schema is made once. */
export class FilterCheck {
  readonly #schemas = new Map<ViewList, { readonly filters: TObject; readonly check: Check }>();
  readonly #findQuery: FindQuery;

  constructor(findQuery: FindQuery) {
    this.#findQuery = findQuery;
  }

  #of(list: ViewList) {
    const known = this.#schemas.get(list);
    if (known) return known;
    const filters = filtersOf(list, this.#findQuery);
    const made = { filters, check: compileCheck(Type.Object({ filters }), 'body') };
    this.#schemas.set(list, made);
    return made;
  }

  /** The schema of a list's filters. */
  schemaOf(list: ViewList): TObject {
    return this.#of(list).filters;
  }

  /**
   * Fails with INVALID_REQUEST for filters that the list does not have, for values that they do not take, for none at
   * all, and for too many bytes.
   */
  assertValid(list: ViewList, filters: ViewFilters): void {
    const known: readonly string[] = FILTERS_OF_LISTS[list];
    const names = Object.keys(filters);
    if (names.length === 0) throw invalid('filters', 'must have at least one filter');
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw invalid(`filters.${unknown}`, `is not a filter of this list (${known.join(', ')})`);
    }
    if (Buffer.byteLength(JSON.stringify(filters)) > FILTERS_BYTES_MAX) {
      throw invalid('filters', `must have at most ${FILTERS_BYTES_MAX} bytes as JSON`);
    }
    this.#of(list).check({ filters });
  }

  /** The names of the filters that the list no longer has, or whose values it no longer takes. */
  listInvalid(list: ViewList, filters: ViewFilters): string[] {
    const { check } = this.#of(list);
    return Object.entries(filters).flatMap(([name, value]) => {
      try {
        check({ filters: { [name]: value } });
        return [];
      } catch {
        return [name];
      }
    });
  }
}
