import { Badge } from '@mantine/core';
import './person-cell.css';
import {
  hueOf,
  initialsOf,
  isErased,
  isPartner,
  markIdOf,
  nameOf,
  type Person,
  personDetail,
  personLabel,
} from './person.ts';
import { shortId } from './short-id.ts';
import { ThingLink } from './thing-link.tsx';
import { usePerson } from './use-person.ts';

const HUES = 6;

interface PersonMarkProps {
  readonly id: string;
  /** What the initials are taken from; none for an erased or unknown person. */
  readonly label: string | null;
  readonly isGroup?: boolean;
  readonly isSmall?: boolean;
}

/** Initials in a circle, or in a square for a group. Only decoration: the name is beside it. */
export function PersonMark({ id, label, isGroup = false, isSmall = false }: PersonMarkProps) {
  const initials = label === null ? '' : initialsOf(label);
  return (
    <span
      className="person-mark"
      data-hue={label === null ? undefined : hueOf(id, HUES)}
      data-group={isGroup || undefined}
      data-small={isSmall || undefined}
      aria-hidden
    >
      {initials || '–'}
    </span>
  );
}

/** The mark of a participant, of which nothing may be known yet. */
export function MarkOf({ id, person, isSmall }: CellProps & { readonly isSmall?: boolean }) {
  const label = person && !isErased(person, id) ? (nameOf(person) ?? person.externalId) : null;
  return (
    <PersonMark
      id={markIdOf(person, id)}
      label={label}
      isGroup={person?.kind === 'group'}
      isSmall={isSmall ?? false}
    />
  );
}

function PartnerBadge() {
  return (
    <Badge variant="light" color="grape" size="sm" tt="none" className="person-badge">
      Partner
    </Badge>
  );
}

interface CellProps {
  readonly id: string;
  /** What the row says of them. A name that is not in it is looked up, with those of the other rows. */
  readonly person?: Person | undefined;
}

/** A person in a list or among facts: initials, name, external id, and whether they are a partner. */
export function PersonCell({ id, person: known, note }: CellProps & { readonly note?: string }) {
  const person = usePerson(id, known);
  const detail = person ? personDetail(person, id) : null;
  const below = [detail, note].filter(Boolean).join(' · ');
  return (
    <span className="person">
      <MarkOf id={id} person={person} />
      <span className="person-text">
        <span className="person-name">
          <NameLink id={id} person={person} />
          <PartnerMark id={id} person={person} />
        </span>
        {below && <span className="person-detail">{below}</span>}
      </span>
    </span>
  );
}

/** The same within a sentence. */
export function PersonInline({ id, person: known }: CellProps) {
  const person = usePerson(id, known);
  const detail = person ? personDetail(person, id) : null;
  return (
    <span className="person-inline">
      <MarkOf id={id} person={person} isSmall />
      <NameLink id={id} person={person} />
      {detail && <span className="person-detail">{detail}</span>}
      <PartnerMark id={id} person={person} />
    </span>
  );
}

function NameLink({ id, person }: CellProps) {
  return (
    <ThingLink type="participant" id={id}>
      {person && <span data-erased={isErased(person, id) || undefined}>{labelOf(person, id)}</span>}
    </ThingLink>
  );
}

/** A partner whose name may not be read, or is not known yet, is an id with the badge beside it. */
function labelOf(person: Person, id: string) {
  if (person.name || person.externalId || isErased(person, id)) return personLabel(person, id);
  return <code title={person.partnerId ?? id}>{shortId(person.partnerId ?? id)}</code>;
}

function PartnerMark({ id, person }: CellProps) {
  return person && isPartner(person) && !isErased(person, id) ? <PartnerBadge /> : null;
}
