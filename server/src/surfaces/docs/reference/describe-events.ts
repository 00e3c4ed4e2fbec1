import { API_VERSIONS } from '../../../platform/feed/api-versions.ts';
import { EventEnvelope } from '../../../platform/feed/schema.ts';
import { EVENT_TYPES, type FeedEventType } from '../../../platform/feed/writer/project-write.ts';
import { EVENT_DATA } from '../../views/event-data.ts';
import { EVENT_MEANINGS, exampleEvent } from '../../views/webhook-events.ts';
import type { Schema } from '../api/api-document.ts';
import { listFieldLines } from './field-lines.ts';
import { code, MADE, textTable } from './text-table.ts';

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
  EVENT_TYPES.map((type) => [`[${code(type)}](#${type.replace('.', '')})`, EVENT_MEANINGS[type]]),
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
  return `## ${type}

${EVENT_MEANINGS[type]}

${fields}

\`\`\`json
${JSON.stringify(exampleEvent(type), null, 2)}
\`\`\``;
}

function fieldTable(schema: Schema): string {
  return textTable(
    ['Field', 'Type', 'Meaning'],
    listFieldLines(schema).map(({ name, type, about }) => [code(name), type, about]),
  );
}
