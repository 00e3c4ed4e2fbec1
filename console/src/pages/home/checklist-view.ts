/** How much of the checklist is shown. */
export type ChecklistView = 'steps' | 'line' | 'nothing';

const CHOICES: readonly ChecklistView[] = ['steps', 'line', 'nothing'];

/**
 * The steps while most are left, and one line for what remains or once all are done, unless the user chose
 * otherwise. What somebody chose before all was done does not hide that it is.
 */
export function viewOf(
  chosen: { readonly view: ChecklistView; readonly wasDone: boolean } | null,
  isDone: boolean,
  wasMostlyDone: boolean,
): ChecklistView {
  if (chosen && (chosen.wasDone || !isDone || chosen.view === 'nothing')) return chosen.view;
  return isDone || wasMostlyDone ? 'line' : 'steps';
}

const placeOf = (userId: string, projectId: string) =>
  `goodword-first-steps-${userId}-${projectId}`;

export function readChoice(userId: string, projectId: string) {
  const [view, state] = (localStorage.getItem(placeOf(userId, projectId)) ?? '').split(' ');
  const known = CHOICES.find((one) => one === view);
  return known ? { view: known, wasDone: state === 'done' } : null;
}

export function saveChoice(
  { userId, projectId }: { readonly userId: string; readonly projectId: string },
  view: ChecklistView,
  wasDone: boolean,
): void {
  localStorage.setItem(placeOf(userId, projectId), `${view} ${wasDone ? 'done' : 'open'}`);
}
