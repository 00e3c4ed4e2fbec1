import { difference } from '../finding.ts';
import { listWithoutEvent, SENT_SUBJECTS } from '../stores/delivery-store.ts';
import type { Look } from './look.ts';

/**
 * What waits to be sent, and what was, is an event of the feed. Of which endpoint does not matter: a
 * queue may have been given up, and a history outlives its endpoint.
 */
export async function checkDeliveries(look: Look): Promise<void> {
  for (const [index, subject] of SENT_SUBJECTS.entries()) {
    const astray = await listWithoutEvent(look.tx, look.projectId, subject);
    look.report(
      astray.map(({ id, position }) =>
        difference(subject, id, 'position', {
          stored: position,
          expected: 'that of an event in the feed',
        }),
      ),
    );
    look.progress('deliveries', index + 1, SENT_SUBJECTS.length);
  }
}
