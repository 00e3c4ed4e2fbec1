import Type from 'typebox';
import { IdText, OneOf } from '../../../platform/kit/schema.ts';
import { DAYS_MAX } from './day-range.ts';

export const TAG = 'Figures';
export const DayIn = (description: string) =>
  Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description });

/** A range of days, of one Program or of all. */
export const rangeQuery = Type.Object({
  from: DayIn('The first day, as `YYYY-MM-DD`.'),
  to: DayIn(`The last day. The range is at most ${DAYS_MAX} days.`),
  programId: Type.Optional(IdText()),
  compare: Type.Optional(
    OneOf(['previous'], {
      description: 'Also return the totals of the same number of days before the range.',
    }),
  ),
});
