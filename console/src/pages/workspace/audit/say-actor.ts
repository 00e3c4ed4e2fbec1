import type { Row } from '../../../api/client.ts';
import { shortId } from '../../../ui/short-id.ts';

type Actor = Pick<Row<'/v1/audit-log'>, 'actorType' | 'actorId'>;

const KINDS: Record<Actor['actorType'], string> = {
  user: 'Person',
  key: 'API key',
  system: 'Goodword',
  cli: 'The admin token',
};

/** Who made a change, by name if it is known: of a member, or of an API key. */
export function sayActor(
  { actorType, actorId }: Actor,
  names: ReadonlyMap<string, string>,
): string {
  if (actorType === 'system' || actorType === 'cli') return KINDS[actorType];
  const name = names.get(actorId);
  if (actorType === 'user' && name !== undefined) return name;
  return `${KINDS[actorType]} ${name ?? shortId(actorId)}`;
}
