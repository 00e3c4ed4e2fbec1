import type { Invitation, Member } from '../../accounts/users/schema.ts';
import type { ApiKey, AuditEntry } from '../../accounts/workspaces/schema.ts';
import type { Partner } from '../../domain/partners/schema.ts';
import type { ListedProgram } from '../../domain/programs/schema.ts';
import type { Source } from '../../domain/tracking/schema.ts';
import type { StripeParked } from '../../outbound/integrations/stripe/parked/parked-schema.ts';
import type { Endpoint } from '../../outbound/webhooks/endpoints/endpoint-schema.ts';
import type { Columns } from './csv-file.ts';

export const PROGRAMS: Columns<ListedProgram> = {
  id: (row) => row.id,
  kind: (row) => row.kind,
  name: (row) => row.name,
  status: (row) => row.status,
  start_date: (row) => row.startDate,
  end_date: (row) => row.endDate,
  enrollment_count: (row) => row.enrollmentCount,
  referral_count: (row) => row.referralCount,
  landing_page_url: (row) => row.config.brandConfig.landingPageUrl,
  created_at: (row) => row.createdAt,
  updated_at: (row) => row.updatedAt,
};

export const SOURCES: Columns<Source> = {
  id: (row) => row.id,
  name: (row) => row.name,
  key: (row) => row.key,
  kind: (row) => row.kind,
  enabled: (row) => row.enabled,
  created_at: (row) => row.createdAt,
  updated_at: (row) => row.updatedAt,
};

export const WEBHOOK_ENDPOINTS: Columns<Endpoint> = {
  id: (row) => row.id,
  url: (row) => row.url,
  description: (row) => row.description,
  event_types: (row) => row.eventTypes.join('; '),
  api_version: (row) => row.apiVersion,
  fulfillment_mode: (row) => row.fulfillmentMode,
  enabled: (row) => row.enabled,
  created_at: (row) => row.createdAt,
  updated_at: (row) => row.updatedAt,
};

export const PARTNERS: Columns<Partner> = {
  id: (row) => row.id,
  environment: (row) => row.environment,
  name: (row) => row.name,
  email: (row) => row.email,
  email_verified_at: (row) => row.emailVerifiedAt,
  profile_type: (row) => row.profileType,
  country: (row) => row.country,
  status: (row) => row.status,
  suspended_at: (row) => row.suspendedAt,
  suspension_reason: (row) => row.suspensionReason,
  created_at: (row) => row.createdAt,
  updated_at: (row) => row.updatedAt,
  erased_at: (row) => row.erasedAt,
};

export const API_KEYS: Columns<ApiKey> = {
  id: (row) => row.id,
  environment: (row) => row.environment,
  name: (row) => row.name,
  prefix: (row) => row.prefix,
  last4: (row) => row.last4,
  permissions: (row) => row.permissions.join('; '),
  created_at: (row) => row.createdAt,
  updated_at: (row) => row.updatedAt,
  expires_at: (row) => row.expiresAt,
  revoked_at: (row) => row.revokedAt,
  last_used_at: (row) => row.lastUsedAt,
};

export const USERS: Columns<Member> = {
  id: (row) => row.id,
  email: (row) => row.email,
  name: (row) => row.name,
  role: (row) => row.role,
  totp_enabled: (row) => row.totpEnabled,
  last_seen_at: (row) => row.lastSeenAt,
  joined_at: (row) => row.joinedAt,
};

export const INVITATIONS: Columns<Invitation> = {
  id: (row) => row.id,
  email: (row) => row.email,
  role: (row) => row.role,
  status: (row) => row.status,
  created_at: (row) => row.createdAt,
  expires_at: (row) => row.expiresAt,
  accepted_at: (row) => row.acceptedAt,
  revoked_at: (row) => row.revokedAt,
};

export const STRIPE_PARKED: Columns<StripeParked> = {
  id: (row) => row.id,
  connection_id: (row) => row.connectionId,
  stripe_event_id: (row) => row.stripeEventId,
  type: (row) => row.type,
  reason: (row) => row.reason,
  customer_id: (row) => row.customerId,
  object_id: (row) => row.objectId,
  amount_minor: (row) => row.amountMinor,
  currency: (row) => row.currency,
  occurred_at: (row) => row.occurredAt,
  parked_at: (row) => row.parkedAt,
};

export const AUDIT_LOG: Columns<AuditEntry> = {
  id: (row) => row.id,
  at: (row) => row.at,
  project_id: (row) => row.projectId,
  actor_type: (row) => row.actorType,
  actor_id: (row) => row.actorId,
  action: (row) => row.action,
  target_type: (row) => row.targetType,
  target_id: (row) => row.targetId,
  request_id: (row) => row.requestId,
  ip: (row) => row.ip,
  changes: (row) => JSON.stringify(row.changes),
  before: (row) => row.before && JSON.stringify(row.before),
  agent: (row) => row.agent,
};
