import { Menu, Popover } from '@mantine/core';
import { XIcon } from 'lucide-react';
import { type ReactElement, useRef } from 'react';
import type { Filters } from '../../app/filters.ts';
import { useFilters } from '../use-filters.ts';
import { usePersonLabel } from '../use-person.ts';
import { PersonEditor } from './person-editor.tsx';
import { type FilterSpec, isSet } from './specs.ts';
import { TextEditor } from './text-editor.tsx';
import { TimeEditor } from './time-editor.tsx';
import { isTimeRange, saySpan, TIME_RANGES } from './time-ranges.ts';
import { useFocusBack } from './use-focus-back.ts';

interface FilterChipProps {
  readonly spec: FilterSpec;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  /** Closed without another value. */
  readonly onDismiss: () => void;
  readonly onChoose: (values: Filters) => void;
  readonly onRemove: () => void;
}

/** `State: Pending ×`. Pressing it changes the value. */
export function FilterChip(props: FilterChipProps) {
  const { spec, isOpen, onRemove } = props;
  const [filters] = useFilters();
  const buttonRef = useRef<HTMLButtonElement>(null);
  useFocusBack(isOpen, buttonRef);
  const hasValue = isSet(spec, filters);
  const makeButton = (onClick?: () => void) => (
    <button ref={buttonRef} type="button" className="chip-value" onClick={onClick}>
      <span className="chip-label">{spec.label}:</span>{' '}
      {hasValue ? <ChipValue spec={spec} filters={filters} /> : '…'}
    </button>
  );
  return (
    <span className="chip" data-open={isOpen || undefined}>
      {spec.kind === 'choice' ? (
        <ChoiceMenu {...props} spec={spec} value={filters[spec.name]} makeButton={makeButton} />
      ) : (
        <EditorPopover {...props} makeButton={makeButton} />
      )}
      {hasValue && (
        <button
          type="button"
          className="chip-remove"
          aria-label={`Remove the filter ${spec.label}`}
          onClick={onRemove}
        >
          <XIcon size={14} aria-hidden />
        </button>
      )}
    </span>
  );
}

function ChipValue({ spec, filters }: { spec: FilterSpec; filters: Filters }) {
  const value = filters[spec.name] ?? '';
  switch (spec.kind) {
    case 'choice':
      return spec.choices.find((choice) => choice.value === value)?.label ?? value;
    case 'person':
      return <PersonName id={value} />;
    case 'text':
      return value;
    case 'time': {
      const { [spec.from]: from, [spec.to]: to } = filters;
      if (!from && !to && isTimeRange(value)) return TIME_RANGES[value].toLowerCase();
      return saySpan({ ...(from ? { from } : {}), ...(to ? { to } : {}) });
    }
  }
}

function PersonName({ id }: { id: string }) {
  return usePersonLabel(id) ?? id;
}

type WithButton = FilterChipProps & { readonly makeButton: (onClick?: () => void) => ReactElement };

function ChoiceMenu({
  spec,
  value,
  makeButton,
  isOpen,
  onOpen,
  onDismiss,
  onChoose,
}: WithButton & {
  readonly spec: Extract<FilterSpec, { kind: 'choice' }>;
  readonly value: string | undefined;
}) {
  return (
    <Menu
      opened={isOpen}
      onChange={(opened) => (opened ? onOpen() : onDismiss())}
      position="bottom-start"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>{makeButton()}</Menu.Target>
      <Menu.Dropdown className="chip-choices">
        {spec.choices.map((choice) => (
          <Menu.RadioItem
            key={choice.value}
            value={choice.value}
            checked={choice.value === value}
            closeMenuOnClick={false}
            onClick={() => onChoose({ [spec.name]: choice.value })}
          >
            {choice.label}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function EditorPopover({ spec, makeButton, isOpen, onOpen, onDismiss, onChoose }: WithButton) {
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => (opened ? onOpen() : onDismiss())}
      position="bottom-start"
      trapFocus
      width={280}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>{makeButton(isOpen ? onDismiss : onOpen)}</Popover.Target>
      <Popover.Dropdown>
        {spec.kind === 'person' && <PersonEditor spec={spec} onChoose={onChoose} />}
        {spec.kind === 'text' && <TextEditor spec={spec} onChoose={onChoose} />}
        {spec.kind === 'time' && <TimeEditor spec={spec} onChoose={onChoose} />}
      </Popover.Dropdown>
    </Popover>
  );
}
