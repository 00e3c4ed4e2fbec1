import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { AppError, type Issue } from '../../../platform/kit/errors.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { hashNetwork } from '../../clicks/hash-network.ts';
import { participantDeleted, refKey } from '../../participants/participant-slice.ts';
import { loadParticipants } from '../../participants/write-participants.ts';
import type { RiskDeps } from '../risk-deps.ts';
import type { ChangeRiskLists, RiskLists } from '../schema.ts';
import { saveLists } from '../store.ts';
import { readNetworks } from './read-network.ts';
import type { StoredList } from './stored-lists.ts';

/** Networks of all ranges of one list. */
export const LIST_NETWORKS_MAX = 4_096;

/** Replaces the Project's lists. Fails with INVALID_REQUEST, or participant_deleted if one names somebody erased. */
export function changeRiskLists(
  { writer, keyring }: Pick<RiskDeps, 'writer' | 'keyring'>,
  request: WriteRequest,
  { allowed, watched }: ChangeRiskLists,
): Promise<RiskLists> {
  const issues: Issue[] = [];
  const { projectId } = request;
  const read = (name: 'allowed' | 'watched', list: RiskLists['allowed']) =>
    readList({ keyring, projectId, path: name, issues }, list);
  const stored = { allowed: read('allowed', allowed), watched: read('watched', watched) };
  const [first] = issues;
  if (first) {
    throw new AppError('INVALID_REQUEST', `Invalid request: ${first.path} ${first.issue}.`, {
      details: issues,
    });
  }
  return writer.run(request, async (write) => {
    // Lists that were read before an erasure must not bring a name back.
    const refs = [...stored.allowed.participants, ...stored.watched.participants];
    const { erased } = await loadParticipants(write.tx, keyring, projectId, { refs });
    if (erased.size > 0) throw participantDeleted();
    saveLists(write.changeConfig(), projectId, stored, write.now);
    // Names of people and networks are on the lists only, from which they can be erased.
    recordAudit(write, request, {
      action: 'risk_lists.change',
      targetType: 'project',
      targetId: projectId,
      changes: { allowed: countOf(allowed), watched: countOf(watched) },
    });
    return { answer: { ...showLists(stored), updatedAt: write.now } };
  });
}

interface Reading {
  readonly keyring: Keyring;
  readonly projectId: string;
  readonly path: string;
  readonly issues: Issue[];
}

function readList(
  { keyring, projectId, path, issues }: Reading,
  { emailDomains, networks, participants }: RiskLists['allowed'],
): StoredList {
  const all = networks.flatMap((text, index) => {
    const found = readNetworks(text);
    if (found) return found;
    const issue = 'must be an address, or a range of /16 or smaller (IPv6: /40 or smaller)';
    issues.push({ path: `${path}.networks.${index}`, issue });
    return [];
  });
  if (all.length > LIST_NETWORKS_MAX) {
    const issue = `contain more than ${LIST_NETWORKS_MAX} networks of the size /24 (IPv6: /48)`;
    issues.push({ path: `${path}.networks`, issue });
  }
  return {
    emailDomains: [...new Set(emailDomains.map((domain) => domain.toLowerCase()))],
    networks,
    participants: [...new Map(participants.map((one) => [refKey(one), one])).values()],
    networkHashes: [...new Set(all)]
      .slice(0, LIST_NETWORKS_MAX)
      .map((network) => hashNetwork(keyring, projectId, network)),
  };
}

function countOf({ emailDomains, networks, participants }: RiskLists['allowed']) {
  return {
    emailDomains: emailDomains.length,
    networks: networks.length,
    participants: participants.length,
  };
}

export function showLists(lists: {
  readonly allowed: StoredList;
  readonly watched: StoredList;
}): Pick<RiskLists, 'allowed' | 'watched'> {
  const show = ({ networkHashes: _, ...list }: StoredList) => list;
  return { allowed: show(lists.allowed), watched: show(lists.watched) };
}
