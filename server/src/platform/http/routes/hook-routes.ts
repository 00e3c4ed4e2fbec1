import type { Static, TSchema } from 'typebox';
import { AppError } from '../../kit/errors.ts';
import type { ProjectRef, WriteRequest } from '../access/principal.ts';
import { buildRoute } from './build-route.ts';
import type { Described, Route, SignedBody } from './route.ts';

interface Hook<R extends TSchema, C> extends Omit<Described, 'method'> {
  readonly answer: R;
  readonly signatureHeader: string;
  handle(
    call: C & {
      readonly params: Readonly<Record<string, string>>;
      readonly signed: SignedBody;
    },
  ): Promise<Static<R>>;
}

/**
 * Receives a provider's webhooks for a Project. Its handler checks the signature over the received
 * bytes, and refuses with `badSignature`.
 */
export function hookRoute<R extends TSchema>(
  spec: Hook<R, { readonly project: ProjectRef; readonly request: WriteRequest }> & {
    readonly bodyBytesMax: number;
  },
): Route {
  const { signatureHeader } = spec;
  const access = { by: 'signature' } as const;
  return buildRoute({ ...spec, method: 'POST' }, { access, projectIn: 'path', signatureHeader });
}

/** The same for a Workspace: its path names one, and no Project. */
export function workspaceHookRoute<R extends TSchema>(spec: Hook<R, unknown>): Route {
  const { signatureHeader } = spec;
  return buildRoute({ ...spec, method: 'POST' }, { access: { by: 'signature' }, signatureHeader });
}

export const BAD_SIGNATURE = 'invalid_signature';

/** The refusal of a hook; an address that keeps causing it is slowed down. */
export function badSignature(message: string): AppError {
  return new AppError('INVALID_REQUEST', message, { reason: BAD_SIGNATURE });
}
