import { API_VERSIONS } from '../../../platform/feed/api-versions.ts';
import { EventEnvelope } from '../../../platform/feed/schema.ts';
import { EVENT_TYPES, type FeedEventType } from '../../../platform/feed/writer/project-write.ts';
import { EVENT_DATA } from '../../views/event-data.ts';
import { EVENT_MEANINGS, exampleEvent } from '../../views/webhook-events.ts';
import type { Schema } from '../api/api-document.ts';
import { optionsOf, unwrapNull } from '../api/describe-schema.ts';
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

The [feed](../feed.md) lists these events, and [webhooks](../webhooks.md) send them. Every event has the same
envelope:

${fieldTable(EventEnvelope as Schema)}

\`data\` shows the object as it was after the fact. The newest version is \`${API_VERSIONS.newest}\`. Within a
version, fields and types are only added, so ignore those you do not know.

${textTable(
  ['Type', 'When'],
  EVENT_TYPES.map((type) => [`[${code(type)}](#${type.replace('.', '')})`, EVENT_MEANINGS[type]]),
)}

![An earned reward is pending. When your product grants it, or the service delivers it and the delivery is confirmed, it is fulfilled. If the delivery is refused, it has failed and can be retried. If it is voided or fully refunded while pending, it is cancelled. If it is voided after it was fulfilled, unless it is cash, it must be taken back and is then revoked. A returned transfer makes it pending again.](../diagrams/reward-states.svg "Main transitions of a reward’s fulfillmentStatus")

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

/** A field by its whole name, such as `rewards[].rewardId`, with its type and meaning. */
interface FieldLine {
  readonly name: string;
  readonly type: string;
  readonly about: string;
}

/** The fields of an object, those of the objects in it below them. */
function listFieldLines(schema: Schema, parents = ''): FieldLine[] {
  const { schema: inner } = unwrapNull(schema);
  if (inner.items) return listFieldLines(inner.items, `${parents}[]`);
  return Object.entries(inner.properties ?? {}).flatMap(([name, field]) => {
    const whole = parents === '' ? name : `${parents}.${name}`;
    const about = field.description ?? unwrapNull(field).schema.description ?? '';
    return [{ name: whole, type: describe(field), about }, ...listFieldLines(field, whole)];
  });
}

function describe(schema: Schema): string {
  const { schema: inner, nullable } = unwrapNull(schema);
  const [only = inner] = optionsOf(inner);
  return describePlain(only) + (nullable ? ' or null' : '');
}

function describePlain(schema: Schema): string {
  if (schema.enum) return schema.enum.map((word) => code(String(word))).join(', ');
  if (schema.format === 'date-time') return 'timestamp';
  if (schema.type === 'array') return `array of ${describe(schema.items ?? {})}s`;
  if (schema.patternProperties) return 'map';
  return schema.type === undefined ? 'any value' : [schema.type].flat().join(' or ');
}
