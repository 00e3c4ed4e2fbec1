import { API_VERSIONS } from '../../feed/api-versions.ts';
import { EVENT_TYPES, type FeedEventType } from '../../feed/project-write.ts';
import { EventEnvelope } from '../../feed/schema.ts';
import type { Instant } from '../../kit/instant.ts';
import { EVENT_DATA } from '../../webhooks/event-data.ts';
import { sampleData } from '../../webhooks/sample-data.ts';
import type { Schema } from '../api-document.ts';
import { listFieldLines } from './field-lines.ts';
import { code, MADE, textTable } from './text-table.ts';

const WHEN: Readonly<Record<FeedEventType, string>> = {
  'participant.created': 'Somebody is a participant for the first time, by whichever call.',
  'referral.created': 'Somebody was bound to who brought them. That never changes afterwards.',
  'event.recorded':
    'A signup, a purchase or a fact of your own was saved, and attribution decided.',
  'reward.earned': 'A rule gave somebody something. If your product delivers it, grant it now.',
  'reward.voided': 'A Reward is void: do not grant it, or take it back if you have.',
  'reward.fulfilled': 'A Reward reached whom it belongs to.',
  'reward.revoked': 'A void Reward that had been granted was taken back.',
  'payout.paid': 'A transfer was made.',
  'payout.failed': 'A transfer was refused. Its Rewards wait for the next batch.',
  'payout.returned': 'A transfer was made and came back.',
};

const FRAME = {
  projectId: 'prj_01ka3m…',
  now: '2026-11-15T09:30:00.000Z' as Instant,
  newId: (prefix: string) => `${prefix}_01ka3m…`,
};

/** Docs/reference/events.md: every type of event, from its schema and the sample of it. */
export function describeEvents(): string {
  const first = new Map<string, FeedEventType>();
  const chapters = EVENT_TYPES.map((type) => {
    const key = JSON.stringify(EVENT_DATA[type]);
    const same = first.get(key);
    if (same === undefined) first.set(key, type);
    return chapter(type, same);
  });
  return `# Events

${MADE}

What happened, as the [feed](../feed.md) lists it and [webhooks](../webhooks.md) send it. Every event has the
same envelope:

${fieldTable(EventEnvelope as Schema)}

\`data\` shows the object as the fact left it. Version \`${API_VERSIONS.newest}\` is the newest; within
a version fields and types are only added, so ignore those you do not know.

${textTable(
  ['Type', 'When'],
  EVENT_TYPES.map((type) => [`[${code(type)}](#${type.replace('.', '')})`, WHEN[type]]),
)}

![A reward that is earned is pending. Granted by your product, or sent by the service and confirmed, it is fulfilled. Refused, it has failed and can be retried. Void or all refunded while it is pending, it is cancelled; void after it arrived, unless it is cash, it is to be taken back, and then revoked. A transfer that comes back makes it pending again.](../diagrams/reward-states.svg "fulfillmentStatus of a reward, in its main moves")

${chapters.join('\n\n')}
`;
}

function chapter(type: FeedEventType, same: FeedEventType | undefined): string {
  const fields =
    same === undefined
      ? fieldTable(EVENT_DATA[type] as Schema)
      : `\`data\` has the fields of [${code(same)}](#${same.replace('.', '')}).`;
  const sample = {
    id: FRAME.newId('wev'),
    type,
    apiVersion: API_VERSIONS.newest,
    occurredAt: FRAME.now,
    projectId: FRAME.projectId,
    environment: 'live',
    data: sampleData(type, FRAME as Parameters<typeof sampleData>[1]),
  };
  return `## ${type}

${WHEN[type]}

${fields}

\`\`\`json
${renamePeople(JSON.stringify(sample, null, 2))}
\`\`\``;
}

/** Test events must not be taken for real ones; here they may look like them. */
function renamePeople(text: string): string {
  return text
    .replaceAll('goodword-test-referrer', '42')
    .replaceAll('goodword-test-referee', '43')
    .replaceAll('goodword-test-', '');
}

function fieldTable(schema: Schema): string {
  return textTable(
    ['Field', 'Type', 'Meaning'],
    listFieldLines(schema).map(({ name, type, about }) => [code(name), type, about]),
  );
}
