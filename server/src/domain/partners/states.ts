import { type AppError, conflict } from '../../platform/kit/errors.ts';
import type { ApplicationStatus } from './schema.ts';

export type Trigger = 'approve' | 'reject' | 'withdraw';

/** From a pending application only; a decision is final. */
const NEXT: Record<Trigger, ApplicationStatus> = {
  approve: 'approved',
  reject: 'rejected',
  withdraw: 'withdrawn',
};

type Decision =
  | { readonly to: ApplicationStatus }
  /** A repeat: the first outcome applies. */
  | { readonly repeated: true }
  | { readonly refused: AppError };

/** Refuses with CONFLICT: `application_decided` for the opposite decision, `invalid_transition` before the proof. */
export function decideApplication(
  application: { readonly status: ApplicationStatus; readonly emailVerifiedAt: string | null },
  trigger: Trigger,
): Decision {
  const to = NEXT[trigger];
  if (application.status === to) return { repeated: true };
  if (application.status !== 'pending') {
    return {
      refused: conflict('application_decided', `This application is ${application.status}.`),
    };
  }
  if (trigger === 'approve' && application.emailVerifiedAt === null) {
    return { refused: notProvenYet() };
  }
  return { to };
}

export function notProvenYet(): AppError {
  return conflict('invalid_transition', 'The applicant has not verified the e-mail address yet.');
}
