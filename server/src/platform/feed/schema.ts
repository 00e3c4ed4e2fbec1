import Type from 'typebox';
import { InstantOut, OneOf } from '../kit/schema.ts';
import { EVENT_TYPES } from './writer/project-write.ts';

export const EventEnvelope = Type.Object(
  {
    id: Type.String({ description: 'The same in every delivery of the event.' }),
    type: OneOf(EVENT_TYPES),
    apiVersion: Type.String(),
    occurredAt: InstantOut,
    projectId: Type.String(),
    environment: OneOf(['live', 'sandbox']),
    data: Type.Unknown({ description: 'The object as it was after the fact.' }),
  },
  { title: 'WebhookEvent' },
);
