import { expect, it } from 'vitest';
import { subjectOf } from './find-place.ts';

it('leads from a code or a link to its owner, and from all else to itself', () => {
  const found = (type: string, id: string) => ({ type, id, participantId: 'par_1' });
  expect(subjectOf(found('referral_code', 'cod_1'))).toEqual({ type: 'participant', id: 'par_1' });
  expect(subjectOf(found('referral_link', 'lnk_1'))).toEqual({ type: 'participant', id: 'par_1' });
  expect(subjectOf(found('event', 'evt_1'))).toEqual({ type: 'event', id: 'evt_1' });
  expect(subjectOf({ type: 'mystery', id: 'x_1', participantId: null }).type).toBe('mystery');
});
