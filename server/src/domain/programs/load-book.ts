import type { Queryable } from '../../platform/db/driver.ts';
import type { ConfigPart } from '../../platform/feed/writer/config-cache.ts';
import { groupBy } from '../../platform/kit/group-by.ts';
import type { BookedProgram, BookedRule, ProgramBook } from './program-book.ts';
import {
  listDayStarts,
  listDelivery,
  listIntervals,
  listPolicies,
  listPrograms,
  listRiskPolicies,
  listRules,
  listTerms,
} from './queries.ts';

/** The book inside a write: `write.config(PROGRAM_BOOK)`. */
export const PROGRAM_BOOK: ConfigPart<ProgramBook> = { load: loadBook };

/** Reads all of a Project's Programs, in concurrent statements. */
export async function loadBook(db: Queryable, projectId: string): Promise<ProgramBook> {
  const [programs, intervals, policies, riskPolicies, delivery, rules, terms, dayStarts] =
    await Promise.all([
      listPrograms(db, projectId),
      listIntervals(db, projectId, null),
      listPolicies(db, projectId, null),
      listRiskPolicies(db, projectId, null),
      listDelivery(db, projectId, null),
      listRules(db, projectId, null),
      listTerms(db, projectId, null),
      listDayStarts(db, projectId),
    ]);
  const daysFrom = new Map(dayStarts.map((one) => [one.id, one.daysFrom]));
  const intervalsOf = groupBy(intervals, (one) => one.programId);
  const policiesOf = groupBy(policies.toReversed(), (one) => one.programId);
  const riskPoliciesOf = groupBy(riskPolicies.toReversed(), (one) => one.programId);
  const deliveryOf = new Map(delivery.map((one) => [one.programId, one]));
  const termsOf = groupBy(terms.toReversed(), (one) => one.ruleId);
  const rulesOf = groupBy(
    rules.map((rule): BookedRule => ({ ...rule, terms: termsOf.get(rule.id) ?? [] })),
    (rule) => rule.programId,
  );
  return {
    programs: new Map(
      programs.flatMap((program): [string, BookedProgram][] => {
        const choice = deliveryOf.get(program.id);
        // Outside a transaction, a Program that is just being created may be read in part.
        if (!choice) return [];
        const booked: BookedProgram = {
          id: program.id,
          kind: program.kind,
          startDate: program.startDate,
          endDate: program.endDate,
          intervals: intervalsOf.get(program.id) ?? [],
          policies: policiesOf.get(program.id) ?? [],
          riskPolicies: riskPoliciesOf.get(program.id) ?? [],
          rules: rulesOf.get(program.id) ?? [],
          daysFrom: daysFrom.get(program.id) ?? null,
          delivery: choice,
        };
        return [[program.id, booked]];
      }),
    ),
  };
}
