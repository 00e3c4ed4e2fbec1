import { randomBytes } from 'node:crypto';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { LinkPageDeps } from '../click-deps.ts';
import { CLICK_TOKEN_MS } from '../handle.ts';
import { makeClickToken } from './click-token.ts';
import { findTarget } from './find-target.ts';
import { toReferralAddress } from './landing.ts';

/** Any other text is not a Project's key and needs no lookup. */
const PROJECT_KEY = /^[a-z0-9]{1,32}$/;

/**
 * The address that a shared link leads to, or null if there is no such link. While the link counts,
 * the address names the code and carries a token, and the visit is added to the counter if
 * `isCounted`; nothing else is written. Otherwise it is the plain landing page.
 */
export async function followLink(
  deps: Pick<LinkPageDeps, 'database' | 'clock' | 'keyring' | 'identities' | 'counter'>,
  link: { readonly projectKey: string; readonly name: string },
  isCounted: boolean,
): Promise<string | null> {
  const projectKey = link.projectKey.toLowerCase();
  if (!PROJECT_KEY.test(projectKey)) return null;
  const project = await deps.identities.findProjectByKey(projectKey);
  if (!project) return null;
  const now = await projectNow(deps.database.reads, deps.clock, project);
  const target = await findTarget(deps.database.reads, project.id, link.name, now);
  if (!target || target.landingPageUrl === '') return null;
  if (!target.isOpen) return target.landingPageUrl;
  if (isCounted) {
    deps.counter.add({
      projectId: project.id,
      sharedId: target.linkId ?? target.refCodeId,
      programId: target.programId,
      day: now.slice(0, 10),
      clicks: 1,
    });
  }
  const click = makeClickToken(deps.keyring, project.id, {
    id: randomBytes(16).toString('hex'),
    name: link.name.toLowerCase(),
    expiresMs: deps.clock.nowMs() + CLICK_TOKEN_MS,
  });
  return toReferralAddress(target.landingPageUrl, target.code, click);
}
