import './lists.css';
import { Button, Menu } from '@mantine/core';
import { PlusIcon } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useFilters } from '../use-filters.ts';
import { FilterChip } from './filter-chip.tsx';
import { SaveViewButtons } from './save-view.tsx';
import { SavedViews } from './saved-views.tsx';
import { type FilterSpec, isSet, namesOf } from './specs.ts';
import { focusIfLost, useFocusBack } from './use-focus-back.ts';
import type { ViewList } from './views.ts';

interface FilterChipsProps {
  readonly specs: readonly FilterSpec[];
  /** The list whose views can be saved. */
  readonly list: ViewList;
  /** Before the chips: a search box. */
  readonly children?: ReactNode;
  /** At the end of the line: an export, other buttons. */
  readonly actions?: ReactNode;
}

/** The saved views of a list; its filters, a chip for each that is set; and a button that adds one. */
export function FilterChips({ specs, list, children, actions }: FilterChipsProps) {
  const [filters, setFilters] = useFilters();
  /** The chip whose value is being chosen; it may have none yet. */
  const [edited, setEdited] = useState<{ name: string; isOpen: boolean } | null>(null);
  const addRef = useRef<HTMLButtonElement>(null);
  const clearOf = (some: readonly FilterSpec[]) =>
    Object.fromEntries(some.flatMap(namesOf).map((name) => [name, undefined]));
  const shown = specs.filter((spec) => isSet(spec, filters) || spec.name === edited?.name);
  const absent = specs.filter((spec) => !shown.includes(spec));
  const isFiltered = specs.some((spec) => isSet(spec, filters));
  const leave = () => {
    // The chip is gone before the next key is read.
    flushSync(() => setEdited(null));
    focusIfLost(addRef);
  };
  // Once the address has the chosen value, the chip is there because of it.
  const isDone = specs.some(
    (spec) => spec.name === edited?.name && !edited.isOpen && isSet(spec, filters),
  );
  useEffect(() => {
    if (isDone) setEdited(null);
  }, [isDone]);
  return (
    <div className="list-head">
      <SavedViews list={list} specs={specs} />
      <div className="chips-line">
        <search className="chips">
          {children}
          {shown.map((spec) => (
            <FilterChip
              key={spec.name}
              spec={spec}
              isOpen={edited?.name === spec.name && edited.isOpen}
              onOpen={() => setEdited({ name: spec.name, isOpen: true })}
              onDismiss={() =>
                isSet(spec, filters) ? setEdited({ name: spec.name, isOpen: false }) : leave()
              }
              onChoose={(values) => {
                setEdited({ name: spec.name, isOpen: false });
                setFilters({ ...clearOf([spec]), ...values });
              }}
              onRemove={() => {
                setFilters(clearOf([spec]));
                leave();
              }}
            />
          ))}
          {absent.length > 0 && (
            <AddFilter
              specs={absent}
              isOnly={specs.length === 1}
              buttonRef={addRef}
              onAdd={(name) => setEdited({ name, isOpen: true })}
            />
          )}
          {isFiltered && (
            <Button
              size="compact-sm"
              fw={500}
              variant="subtle"
              color="gray"
              onClick={() => {
                setFilters({ ...clearOf(specs), view: undefined, q: undefined });
                leave();
              }}
            >
              Clear filters
            </Button>
          )}
          <SaveViewButtons list={list} specs={specs} />
        </search>
        {actions && <div className="chips-actions">{actions}</div>}
      </div>
    </div>
  );
}

interface AddFilterProps {
  readonly specs: readonly FilterSpec[];
  /** The list has no other filter: it needs no menu. */
  readonly isOnly: boolean;
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
  readonly onAdd: (name: string) => void;
}

function AddFilter({ specs, isOnly, buttonRef, onAdd }: AddFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const [first] = specs;
  useFocusBack(isOpen, buttonRef);
  const button = {
    ref: buttonRef,
    className: 'chip-add',
    type: 'button',
  } as const;
  if (isOnly && first) {
    return (
      <button {...button} onClick={() => onAdd(first.name)}>
        <PlusIcon size={14} aria-hidden /> {first.label}
      </button>
    );
  }
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <button {...button}>
          <PlusIcon size={14} aria-hidden /> Filter
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {specs.map(({ name, label }) => (
          <Menu.Item key={name} onClick={() => onAdd(name)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
