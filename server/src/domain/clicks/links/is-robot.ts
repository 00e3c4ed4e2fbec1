import { isbot } from 'isbot';

/** Whether no person is behind a visit, as far as it says so itself. A browser always names itself. */
export function isRobot(userAgent: string | undefined): boolean {
  return userAgent === undefined || userAgent.trim() === '' || isbot(userAgent);
}
