import { useState } from 'react';
import { hasChanged } from './has-changed.ts';

/** The fields of a form about something saved: what was typed, and what is saved where nothing was. */
export function useEdited<T extends object>(saved: T) {
  const [edited, setEdited] = useState<Partial<T>>({});
  const values: T = { ...saved, ...edited };
  const set = (change: Partial<T>) => setEdited((before) => ({ ...before, ...change }));
  return {
    values,
    set,
    isChanged: hasChanged(saved, values),
    /** Shows what is saved again. */
    reset: () => setEdited({}),
  };
}
