import { type Answer, answerOf, api } from '../../api/client.ts';
import type { Range } from '../home/range.ts';
import type { Partner } from './states.ts';

type PartnerTotals = Answer<'/v1/figures/partners'>['data'][number];

/** A partner, and what it brought and earned in the chosen days; null if it has no part in the project. */
export interface PartnerRow extends Partner {
  readonly results: PartnerTotals | null;
}

/** Each request reads the results of a whole page. */
export const PAGE_SIZE = 100;

/** The partners of a page, with what each brought and earned in the project in these days. */
export async function addResults(
  partners: readonly Partner[],
  projectId: string,
  { from, to }: Range,
  signal: AbortSignal,
): Promise<PartnerRow[]> {
  if (partners.length === 0) return [];
  const ids = partners.map(({ id }) => id).join(',');
  const params = { query: { projectId, ids, from, to } };
  const { data } = await answerOf(api.GET('/v1/figures/partners', { params, signal }));
  const found = new Map(data.map((one) => [one.partnerId, one]));
  return partners.map((one) => ({ ...one, results: found.get(one.id) ?? null }));
}
