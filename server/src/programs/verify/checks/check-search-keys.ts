import { difference } from '../findings.ts';
import { countRows } from '../stores/page-store.ts';
import {
  findSearchedPartners,
  listSearchedPeople,
  listStrayKeys,
} from '../stores/search-key-store.ts';
import type { CheckContext } from './check-context.ts';
import { judgeSearchKeys } from './judge-search-keys.ts';

/** Everybody is found by exactly the keys that the name and the address give; erased people by none. */
export async function checkSearchKeys(context: CheckContext): Promise<void> {
  const { tx, projectId, report, progress } = context;
  const total = await countRows(tx, projectId, 'participants');
  let done = 0;
  for await (const page of listSearchedPeople(tx, projectId)) {
    const partnerIds = page.flatMap(({ partnerId }) => partnerId ?? []);
    const partners = await findSearchedPartners(tx, partnerIds);
    for (const person of page) {
      const searched = person.partnerId === null ? person : partners.get(person.partnerId);
      report(judgeSearchKeys(person, searched));
    }
    done += page.length;
    progress('search keys', done, total);
  }
  const stray = await listStrayKeys(tx, projectId);
  report(
    stray.map((id) =>
      difference(['participant', id], 'search_keys', 'keys', 'none, because it does not exist'),
    ),
  );
}
