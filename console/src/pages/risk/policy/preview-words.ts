import { countOf } from '../../../ui/words.ts';
import type { RiskPreview } from '../queries.ts';

/** `12 of 1,240 referrals would have been reviewed (1%).` */
export function previewSentence({ judged, reviewed }: RiskPreview): string {
  if (judged === 0) return 'No referral was judged so far, so there is nothing to compare with.';
  const share = (100 * reviewed) / judged;
  const percent = share === 0 || share >= 10 ? Math.round(share) : Number(share.toPrecision(1));
  return `${reviewed.toLocaleString()} of ${countOf(judged, 'referral')} would have been reviewed (${percent}%).`;
}
