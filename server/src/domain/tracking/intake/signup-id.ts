const SIGNUP_ID = /^signup:par_[0-9a-z]{26}$/;

/** The `sourceEventId` of a signup that came without one: a person has one signup. */
export function signupIdOf(participantId: string): string {
  return `signup:${participantId}`;
}

/** Whose signup it is that has an id that the service gives; null for any other id. */
export function personOfSignupId(sourceEventId: string): string | null {
  return isSignupId(sourceEventId) ? sourceEventId.slice(signupIdOf('').length) : null;
}

/** Whether an id is the form of one that the service gives. No other fact may have it. */
export function isSignupId(sourceEventId: string): boolean {
  return SIGNUP_ID.test(sourceEventId);
}
