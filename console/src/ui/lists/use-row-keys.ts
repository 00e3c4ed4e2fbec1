import { type RefObject, useEffect, useRef, useState } from 'react';
import { readRowKey, stepTo, takeOver } from './row-keys.ts';

/** What keys do with the row that they have reached, by key. */
export type RowKeys<T> = Readonly<Record<string, (row: T) => void>>;

interface Options<T> {
  /** Undefined for a list without keys. */
  readonly keys: RowKeys<T> | undefined;
  readonly rows: readonly T[];
  readonly idOf: (row: T) => string;
  readonly bodyRef: RefObject<HTMLElement | null>;
  readonly scrollTo: (index: number) => void;
  readonly onSelect: (id: string) => void;
}

/** Frames until a row that was scrolled to is drawn. */
const FRAMES_MAX = 20;
const TAKES_KEYS =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]';

/**
 * Steps through the rows of a list by keys: the link of the row gets the focus, so Enter opens it.
 * When the row leaves the list, the one that takes its place gets the focus.
 */
export function useRowKeys<T>(options: Options<T>) {
  const { keys, rows, idOf, bodyRef } = options;
  const [current, setCurrent] = useState<{ id: string; index: number } | null>(null);
  const latest = useRef({ ...options, current });
  latest.current = { ...options, current };
  const isOn = keys !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the latest options are read when a key is pressed
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const { keys: own = {}, rows: shown, current: at, onSelect } = latest.current;
      const target = event.target instanceof Element ? event.target : document.body;
      const key = readRowKey(
        {
          key: event.key,
          ctrlKey: event.ctrlKey,
          metaKey: event.metaKey,
          altKey: event.altKey,
          isInRows: bodyRef.current?.contains(target) ?? false,
          isTyping: target.closest(TAKES_KEYS) !== null,
        },
        Object.keys(own),
      );
      if (key === null) return;
      event.preventDefault();
      if (key === 'next' || key === 'previous') {
        const index = stepTo(shown.length, at?.index ?? null, key === 'next' ? 1 : -1);
        if (index !== null) focus(index);
        return;
      }
      const row = shown.find((one) => idOf(one) === at?.id);
      if (row === undefined) return;
      if (key === 'select') onSelect(idOf(row));
      else own[key]?.(row);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn]);

  const reach = (index: number) => {
    const row = latest.current.rows[index];
    if (isOn && row !== undefined) setCurrent({ id: idOf(row), index });
  };
  const focus = (index: number, frames = 0) => {
    if (frames === 0) latest.current.scrollTo(index);
    reach(index);
    const link = bodyRef.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`);
    if (link) link.focus({ preventScroll: true });
    else if (frames < FRAMES_MAX) requestAnimationFrame(() => focus(index, frames + 1));
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows can make the current one leave
  useEffect(() => {
    if (current === null) return;
    const index = rows.findIndex((row) => idOf(row) === current.id);
    if (index >= 0) {
      if (index !== current.index) setCurrent({ ...current, index });
      return;
    }
    const next = takeOver(rows.length, current.index);
    setCurrent(null);
    // Whoever is elsewhere on the page by now, such as in a filter, stays there.
    const at = document.activeElement;
    const isFree = at === null || at === document.body || at.closest('[role="dialog"]') !== null;
    if (next !== null && isFree) focus(next);
  }, [rows]);

  return { currentId: isOn ? (current?.id ?? null) : null, reach };
}
