import type { Instant } from '../../../platform/kit/instant.ts';
import { inUse, waiting } from './decide-details-change.ts';
import type { PayoutDetails } from './details-schema.ts';
import type { DetailsRow } from './details-store.ts';

const NOTHING: PayoutDetails = {
  configured: false,
  type: null,
  label: null,
  country: null,
  currency: null,
  status: null,
  updatedAt: null,
  onboardingUrl: null,
};

/** An owner sees the details they saved last, even while these are pending. */
export function presentDetails(records: readonly DetailsRow[], now: Instant): PayoutDetails {
  const next = waiting(records, now);
  const shown = next ?? inUse(records, now);
  if (!shown) return NOTHING;
  const { type, label, country, currency, savedAt, failedAt } = shown;
  return {
    configured: true,
    type,
    label,
    country,
    currency,
    status: next ? 'cooling_down' : failedAt === null ? 'active' : 'needs_update',
    updatedAt: savedAt,
    onboardingUrl: null,
  };
}
