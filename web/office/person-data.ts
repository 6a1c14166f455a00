import { useQuery } from '@tanstack/react-query';
import { type Schema, useClient } from '../shared/client.tsx';

export type Person = Schema['UserDetail'];

/** Everything about one person. */
export function usePerson(userId: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['person', userId],
    queryFn: () => client.showUser({ userId }),
  });
}

/** Whether a person is erased, or being so: nothing of theirs can be changed then. */
export function isErased({ erasure }: Person): boolean {
  return erasure?.status === 'running' || erasure?.status === 'done';
}
