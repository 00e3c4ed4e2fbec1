import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addToTally, type Figure } from '../../../platform/figures/tally.ts';
import { reviewedReferral } from '../../tracking/batch/measures.ts';
import { FiguresBySubject } from './figures-by-subject.ts';

const aFigure: fc.Arbitrary<Figure> = fc.record({
  subject: fc.constantFrom('par_ada', 'par_bob', 'par_cy'),
  part: fc.constantFrom('prg_1', 'prg_2'),
  name: fc.constantFrom('own:purchases', 'own:revenue:USD', 'purchases', 'atStake:purchases'),
  value: fc.bigInt({ min: -3n, max: 3n }),
});
const REFERRAL = {
  programId: 'prg_1',
  referrerParticipantId: 'par_ada',
  refereeParticipantId: 'par_bob',
};

test('a review counts the same by the figures of its referee as by those of everybody', () => {
  fc.assert(
    fc.property(fc.array(aFigure), (added) => {
      const figures = new FiguresBySubject();
      for (const one of added) addToTally(figures, one);
      const all = reviewedReferral(REFERRAL, figures.values());
      expect(reviewedReferral(REFERRAL, figures.of('par_bob'))).toEqual(all);
    }),
  );
});

test('nobody has figures before some were counted', () => {
  expect(new FiguresBySubject().of('par_ada')).toEqual([]);
});
