import { InfiniteQueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { ConsoleClient, PAGES_KEPT } from './console-client.ts';

it('after an action a long list is read anew from its beginning, not all of it', async () => {
  const client = new ConsoleClient();
  let calls = 0;
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['rewards', 'prj_1', 'list'],
    queryFn: async ({ pageParam }) => {
      calls += 1;
      return pageParam;
    },
    initialPageParam: 0,
    getNextPageParam: (last: number) => last + 1,
  });
  const stop = observer.subscribe(() => {});
  await observer.refetch();
  for (let page = 1; page < 40; page += 1) await observer.fetchNextPage();
  client.setQueryData(['rewards', 'prj_1', 'rwd_1'], 'one');
  calls = 0;
  await client.invalidateQueries({ queryKey: ['rewards'] });
  expect(calls).toBe(PAGES_KEPT);
  const { data, hasNextPage } = observer.getCurrentResult();
  expect([data?.pages, hasNextPage]).toEqual([[0, 1, 2, 3, 4], true]);
  expect(client.getQueryData(['rewards', 'prj_1', 'rwd_1'])).toBe('one');
  stop();
});
