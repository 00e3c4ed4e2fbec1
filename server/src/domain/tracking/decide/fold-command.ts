import type { Outcome } from '../../../platform/feed/writer/project-write.ts';
import type { Checked, Ledger, LedgerView } from '../batch/ledger.ts';
import type { TrackCommand } from '../batch/needs.ts';
import { decideDue } from './decide-waiting.ts';
import { checkAdjustment } from './fold-adjustment.ts';
import { checkEvent } from './fold-event.ts';
import { checkImport } from './fold-import.ts';
import { checkSubscription } from './fold-subscription.ts';

/**
 * Takes one command: `apply(state, command)` of the writer's fold. A check sees only the ledger's
 * view, so a refusal changes nothing.
 */
export function foldCommand(ledger: Ledger, command: TrackCommand): Outcome<object> {
  const checked = check(ledger.view, command);
  return 'take' in checked ? checked.take(ledger) : checked;
}

function check(view: LedgerView, command: TrackCommand): Checked<object> {
  switch (command.kind) {
    case 'event':
      return checkEvent(view, command.event, command.leavesWaiting ?? false);
    case 'import':
      return checkImport(view, command.event);
    case 'adjustment':
      return checkAdjustment(view, command.adjustment);
    case 'subscription':
      return checkSubscription(view, command.subscription, command.leavesWaiting ?? false);
    case 'due':
      return { take: (ledger) => decideDue(ledger, command.participantId) };
  }
}
