import { createHash } from 'node:crypto';

/**
 * Version 0.2.0 replaced the 44 migrations of 0.1.0 by one, the baseline. A store that has all 44 already has the
 * baseline's schema: it counts as migrated, and `migrate` only records the baseline in it.
 *
 * The 44 rows stay in `schema_migrations`, and the baseline's row says that it runs beside the last of them.
 * Processes of 0.1.0 compare these rows with the files that they know, so they go on, and can be started again, on
 * the same database: during a rolling restart, when you go back, or after a dump is restored. Without the rows they
 * would not be ready, and one that starts would run its first migration again. In a store that the baseline made,
 * the row names no older program, so 0.1.0 refuses it.
 */
export const BASELINE = '0001_baseline.sql';

const EARLIER: readonly string[] = `
  0001_foundation 0002_programs 0003_participants 0004_partners 0005_sources 0006_clicks
  0007_tracking 0008_adjustments 0009_clock 0010_config_number 0011_due_in_project 0012_webhooks
  0013_payout_details 0016_payouts 0017_stripe_connections 0018_reward_deliveries
  0019_partner_pages 0020_payout_connections 0021_payout_ends 0022_stripe_mendings 0023_users
  0030_daily_figures 0031_attention 0032_lists 0033_console_mends 0034_adjustments_of_people
  0035_root_key_mark 0036_webhook_lease_ends 0037_projects_may_be_large 0038_events_due
  0040_invoices_of_people 0041_disputes_lost 0042_early_adjustments 0043_credited_referrals
  0045_standing_rewards 0046_failed_batches 0047_signup_persons 0048_moved_names
  0049_unfinished_erasures 0054_erasure 0055_readmission 0056_team_settings 0057_paused_queues
  0058_waiting_groups`
  .trim()
  .split(/\s+/)
  .map((name) => `${name}.sql`);

/** Programs that know it run beside the baseline, in a store that they made. */
export const LAST_EARLIER = '0058_waiting_groups.sql';

/** Of the lines `name checksum`, in the order of names. */
const EARLIER_HASH = '9fb75c5eb493517f79260e420fb5e6b9937ecc286845d8e2515c9bbc4fdb66a6';

interface Row {
  readonly name: string;
  readonly checksum: string;
}

const isEarlier = ({ name }: Row) => EARLIER.includes(name);

/** Of the rows of `schema_migrations`, those that this program has files for, or that are newer than it. */
export function leaveOutEarlier<R extends Row>(rows: readonly R[]): R[] {
  return rows.filter((row) => !isEarlier(row));
}

/**
 * Whether 0.1.0 has made this store and the baseline is not recorded in it yet. Throws if it has only some of the
 * 44 migrations, or one of them was edited: then its schema is not the baseline's.
 */
export function awaitsBaseline(rows: readonly Row[]): boolean {
  const earlier = rows.filter(isEarlier);
  if (earlier.length === 0 || rows.some(({ name }) => name === BASELINE)) return false;
  const missing = EARLIER.filter((name) => !earlier.some((row) => row.name === name));
  if (missing.length > 0) {
    throw new Error(
      `The database is older than the last schema of Goodword 0.1.0 (it lacks ${describe(missing)}). Start Goodword 0.1.0 on it once, which migrates it, and then this version.`,
    );
  }
  if (hashOf(earlier) !== EARLIER_HASH) {
    throw new Error(
      'The migrations of this database are not those of Goodword 0.1.0: at least one was changed after it was applied.',
    );
  }
  return true;
}

function describe([first, ...others]: readonly string[]): string {
  return others.length === 0 ? `${first}` : `${first} and ${others.length} more`;
}

function hashOf(rows: readonly Row[]): string {
  const lines = rows.map(({ name, checksum }) => `${name} ${checksum}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}
