import type { FastifyReply, FastifyRequest } from 'fastify';
import { findPrincipal } from '../access/authenticate.ts';
import { missingPermissions } from '../access/authorize.ts';
import type { Identities, ProjectRef } from '../access/principal.ts';
import type { OpenStream } from '../routes/answers.ts';
import type { Route } from '../routes/route.ts';
import { describeAnswer, type ServerOptions } from './create-server.ts';
import { sendStream, sendStreamHeaders } from './send-stream.ts';
import type { Streams } from './streams.ts';

export interface StreamDeps {
  readonly identities: Identities;
  readonly streams: Streams;
  readonly onAnswer: ServerOptions['onAnswer'];
  readonly onFailure: ServerOptions['onFailure'];
}

/** An empty one means that nothing was seen yet. */
export function lastEventIdOf({ headers }: FastifyRequest): string | null {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : null;
}

interface StreamStart {
  readonly access: Route['access'];
  readonly project: ProjectRef;
  readonly open: OpenStream;
}

/** Fails with SERVICE_UNAVAILABLE if there is no place for it. */
export function startStream(
  reply: FastifyReply,
  deps: StreamDeps,
  { access, project, open }: StreamStart,
): void {
  const { request } = reply;
  if (request.method === 'HEAD') {
    sendStreamHeaders(reply);
    return;
  }
  sendStream(reply, open, {
    place: deps.streams.enter(project),
    mayGoOn: async () => {
      const principal = await findPrincipal(request, deps.identities, false);
      if (principal === undefined) return false;
      return missingPermissions(access, principal, project.workspaceId).length === 0;
    },
    onFailure: (failure) => deps.onFailure(failure, request.id),
    onEnd: (events) => deps.onAnswer({ ...describeAnswer(reply), events }),
  });
}
