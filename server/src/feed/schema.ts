import Type from 'typebox';
import { InstantOut, OneOf } from '../kit/schema.ts';

export const EventEnvelope = Type.Object(
  {
    id: Type.String({ description: 'The same at every delivery of the event.' }),
    type: Type.String(),
    apiVersion: Type.String(),
    occurredAt: InstantOut,
    projectId: Type.String(),
    environment: OneOf(['live', 'sandbox']),
    data: Type.Unknown({ description: 'The object as the fact left it.' }),
  },
  { title: 'WebhookEvent' },
);
