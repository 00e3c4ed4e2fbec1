import Type from 'typebox';
import { InstantOut, OneOf } from '../kit/schema.ts';
import { EVENT_TYPES } from './writer/project-write.ts';

export const EventEnvelope = Type.Object(
  {
    id: Type.String({ description: 'The same at every delivery of the event.' }),
    type: OneOf(EVENT_TYPES),
    apiVersion: Type.String(),
    occurredAt: InstantOut,
    projectId: Type.String(),
    environment: OneOf(['live', 'sandbox']),
    data: Type.Unknown({ description: 'The object as the fact left it.' }),
  },
  { title: 'WebhookEvent' },
);
