import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { assertPays } from '../../../accounts/workspaces/payment-hold/assert-pays.ts';
import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { guardCells, writeCsv } from '../../../platform/kit/csv.ts';
import { conflict } from '../../../platform/kit/errors.ts';
import { formatMajor } from '../../../platform/kit/money.ts';
import type { Details } from '../details/details.ts';
import { findUsableDetails } from '../details/queries.ts';
import { type PayoutDeps, realNow } from '../payout-deps.ts';
import { type BatchRow, isCovered, type PayoutRow, transferMinorOf } from '../transfers/payout.ts';
import { listPayoutsOfBatch } from '../transfers/payout-store.ts';
import { loadBatch } from './move-batch.ts';

export const LAYOUTS = ['bank', 'paypal'] as const;
export type Layout = (typeof LAYOUTS)[number];

const BANK_HEAD = [
  'payout_id',
  'type',
  'recipient_name',
  'email',
  'country',
  'account_currency',
  'iban',
  'bic',
  'account_number',
  'routing_code',
  'amount',
  'currency',
  'reference',
  'problem',
];

interface Transfer {
  readonly payout: PayoutRow;
  /** Null if the payee no longer has usable details. */
  readonly details: Details | null;
}

/**
 * The open transfers of an approved batch, for the person who makes them. Contains account numbers
 * in clear, so every export is recorded in the audit log. Fails with NOT_FOUND, or CONFLICT
 * `invalid_transition` for a batch that is not approved or that a provider pays, or `store_restored`.
 */
export async function exportBatch(
  deps: PayoutDeps,
  project: ProjectRef,
  request: WriteRequest,
  { batchId, layout }: { readonly batchId: string; readonly layout: Layout },
): Promise<string> {
  const batch = await loadBatch(deps, project, batchId);
  assertExportable(batch);
  await assertPays(deps.database.reads, batch.workspaceId);
  const payouts = (await listPayoutsOfBatch(deps.database.reads, batchId)).filter(
    (payout) =>
      (payout.status === 'approved' || payout.status === 'processing') && !isCovered(payout),
  );
  const usable = await findUsableDetails(deps, batch, payouts);
  const transfers = payouts.map((payout): Transfer => {
    return { payout, details: usable.get(payout.id)?.open() ?? null };
  });
  await deps.database.transaction(async (tx) =>
    recordAudit({ tx, now: realNow(deps), newId: deps.newId }, request, {
      action: 'payout_batch.export',
      targetType: 'payout_batch',
      targetId: batchId,
      changes: { layout, payouts: transfers.length },
    }),
  );
  // PayPal reads this file, and a protective apostrophe would change the address.
  return layout === 'paypal'
    ? writeCsv(transfers.flatMap(toPaypalRow))
    : writeCsv(guardCells([BANK_HEAD, ...transfers.map(toBankRow)]));
}

function assertExportable({ method, status }: BatchRow): void {
  if (method !== 'manual_export') {
    throw conflict('invalid_transition', `This batch is paid by ${method} and cannot be exported.`);
  }
  if (status !== 'approved' && status !== 'submitting' && status !== 'submitted') {
    throw conflict('invalid_transition', `A batch that is ${status} cannot be exported.`);
  }
}

function amountOf(payout: PayoutRow): string {
  return formatMajor(transferMinorOf(payout), payout.currencyExponent);
}

function toBankRow({ payout, details }: Transfer): string[] {
  const bank = details?.type === 'bank' ? details : null;
  const account = bank && 'accountNumber' in bank ? bank : null;
  const iban = bank && 'iban' in bank ? bank : null;
  return [
    payout.id,
    details?.type ?? '',
    bank?.holderName ?? '',
    details && 'email' in details ? details.email : '',
    bank?.country ?? '',
    bank?.currency ?? '',
    iban?.iban ?? '',
    iban?.bic ?? '',
    account?.accountNumber ?? '',
    account?.routingCode ?? '',
    amountOf(payout),
    payout.currency,
    payout.id,
    details ? '' : 'details_missing',
  ];
}

/** The format of PayPal's mass payments: no header row; recipient, amount, currency, id, note. */
function toPaypalRow({ payout, details }: Transfer): string[][] {
  if (details?.type !== 'paypal') return [];
  return [[details.email, amountOf(payout), payout.currency, payout.id, payout.id]];
}
