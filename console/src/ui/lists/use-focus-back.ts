import { type RefObject, useEffect, useRef } from 'react';

/** Gives the focus to an element unless the reader has moved it elsewhere. */
export function focusIfLost(ref: RefObject<HTMLElement | null>): () => void {
  const focus = () => {
    if (document.activeElement === document.body) ref.current?.focus();
  };
  // At once for the next key; later because what had the focus, or the element, may still be about to change.
  focus();
  const timer = setTimeout(focus);
  return () => clearTimeout(timer);
}

/** When what an element opened is closed, the focus returns to it. */
export function useFocusBack(isOpen: boolean, ref: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    const closed = wasOpen.current && !isOpen;
    wasOpen.current = isOpen;
    return closed ? focusIfLost(ref) : undefined;
  }, [isOpen, ref]);
}
