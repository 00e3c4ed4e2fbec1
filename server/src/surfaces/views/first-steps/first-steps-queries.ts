import { findRow } from '../../../platform/db/statements.ts';

/** What a Project has at least one of. */
export interface FirstFacts {
  readonly hasProgram: boolean;
  readonly hasSource: boolean;
  readonly hasEvent: boolean;
  readonly hasClick: boolean;
  readonly hasSignup: boolean;
  readonly hasPayout: boolean;
  readonly hasGrant: boolean;
}

const has = (table: string, condition = '') =>
  `exists (select 1 from ${table} t where t.project_id = $1 ${condition} limit 1)`;

/** Whether there is any row of each kind: each is found by the first entry of an index. */
export const findFirstFacts = findRow<FirstFacts, [projectId: string]>(
  `select ${has('programs')} as "hasProgram",
     ${has('sources')} as "hasSource", ${has('events')} as "hasEvent",
     ${has('click_counts')} as "hasClick",
     ${has('signups')} as "hasSignup",
     ${has('payout_parts', `and t.status = 'paid'`)} as "hasPayout",
     ${has('rewards', `and t.fulfillment_status = 'fulfilled'`)} as "hasGrant"`,
);
