/**
 * The author of a change, `key:<id>` or `user:<id>`, in words. Names of colleagues are only known
 * to users who may see the team.
 */
export function describeAuthor(
  author: string,
  ownUserId: string,
  names: ReadonlyMap<string, string>,
): string {
  const [type, id = ''] = author.split(/:(.*)/s);
  if (type === 'key') return `the API key ${id}`;
  if (id === ownUserId) return 'you';
  if (id === 'admin-token') return 'the admin token';
  return names.get(id) ?? `a colleague (${id})`;
}
