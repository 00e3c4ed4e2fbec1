import { findRow } from '../../../platform/db/statements.ts';
import type { Environment } from '../../../platform/http/access/principal.ts';

export interface FirstFacts {
  readonly hasProgram: boolean;
  readonly hasApiKey: boolean;
  readonly hasSource: boolean;
  readonly hasEvent: boolean;
  readonly hasLanding: boolean;
  readonly hasClick: boolean;
  readonly hasSignup: boolean;
  readonly hasEndpoint: boolean;
  readonly paysOut: boolean;
  readonly hasWidgetSecret: boolean;
}

const has = (table: string, condition = '') =>
  `exists (select 1 from ${table} t where t.project_id = $1 ${condition} limit 1)`;

/** Whether there is any row of each kind: each is found by the first entry of an index. */
export const findFirstFacts = findRow<
  FirstFacts,
  [projectId: string, workspaceId: string, environment: Environment]
>(`select ${has('programs')} as "hasProgram",
     exists (select 1 from api_keys k where k.workspace_id = $2 and k.environment = $3
       and k.revoked_at is null limit 1) as "hasApiKey",
     ${has('sources')} as "hasSource", ${has('events')} as "hasEvent",
     ${has('handles')} as "hasLanding", ${has('click_counts')} as "hasClick",
     ${has('signups')} as "hasSignup", ${has('webhook_endpoints')} as "hasEndpoint",
     ${has('delivery_settings', `and t.cash_method = 'payout'`)} as "paysOut",
     ${has('widget_secrets', 'and t.revoked_at is null')} as "hasWidgetSecret"`);
