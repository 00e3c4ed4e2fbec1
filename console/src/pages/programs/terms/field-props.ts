import type { ProgramKind } from '../queries.ts';
import type { TermsErrors, TermsForm, TermsRule } from './terms-form.ts';

/** What all parts of the form of terms need. */
export interface TermsFieldsProps {
  readonly form: TermsForm;
  readonly onChange: (change: Partial<TermsForm>) => void;
  readonly errors: TermsErrors;
  readonly rule: TermsRule;
  readonly kind: ProgramKind;
  /** The rule does not exist yet, so it can become a bonus for a milestone. */
  readonly mayBecomeBonus?: boolean;
  /** False if one currency is chosen for all. */
  readonly hasCurrency?: boolean;
}
