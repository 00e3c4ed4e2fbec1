import { SignJWT } from 'jose';
import type { TestProject, TestService } from './harness.ts';

/** What a backend says in a token, and any of it otherwise. */
type Claims = Record<string, unknown>;

export interface TokenOptions {
  readonly claims?: Claims;
  readonly header?: Record<string, unknown>;
}

/** Signs tokens as the backend of a Project does, with the field's own library. */
export function makeSigner(service: TestService, project: TestProject, secret: string) {
  return (options: TokenOptions = {}): Promise<string> => {
    const iat = Math.floor(service.clock.nowMs() / 1_000);
    const claims: Claims = {
      iss: project.projectId,
      projectId: project.projectId,
      aud: 'service-widget',
      sub: 'ada',
      participantKind: 'individual',
      iat,
      exp: iat + 900,
      scope: 'widget:read widget:payout',
      ...options.claims,
    };
    const given = Object.fromEntries(
      Object.entries(claims).filter(([, value]) => value !== undefined),
    );
    return new SignJWT(given)
      .setProtectedHeader({ alg: 'HS256', typ: 'service-widget+jwt', ...options.header })
      .sign(new TextEncoder().encode(secret));
  };
}

export async function newWidgetSecret(
  service: TestService,
  project: TestProject,
): Promise<{ id: string; secret: string }> {
  const { body } = await service.call('POST', `/v1/projects/${project.projectId}/widget-secrets`, {
    as: 'operator',
  });
  return { id: body.data.id, secret: body.secret };
}
