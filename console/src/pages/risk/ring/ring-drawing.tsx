import './ring.css';
import { Text } from '@mantine/core';
import { Fragment, useId } from 'react';
import { initialsOf, isErased, personLabel } from '../../../ui/person.ts';
import { PersonInline } from '../../../ui/person-cell.tsx';
import { ScrollBox } from '../../../ui/scroll-box.tsx';
import { usePerson } from '../../../ui/use-person.ts';
import { countOf } from '../../../ui/words.ts';
import type { Ring } from '../queries.ts';
import { groupLinks } from './group-links.ts';
import { layoutRing, PERSON_RADIUS, type PersonAt, type SharedAt } from './layout-ring.ts';
import { describeRing, type RingSentence, SHARED } from './ring-words.ts';

interface RingDrawingProps {
  readonly ring: Ring;
  readonly referrerId: string;
  readonly refereeId: string;
}

/** Beside more people than this, names would lie on each other: there are initials alone. */
const NAMED_MAX = 14;
const MARK_RADIUS = 10;
/** Where there is room, it is drawn this much larger. */
const LARGEST = 1.25;

/** The people around a referral and what they share: drawn, with a legend, and in words. */
export function RingDrawing({ ring, referrerId, refereeId }: RingDrawingProps) {
  const { width, height, people, referrals, shared } = layoutRing(ring, referrerId);
  const { referred, shared: groups } = groupLinks(ring);
  const arrow = useId();
  const kinds = [...new Set(shared.map(({ kind }) => kind))];
  const parties = new Map(ring.people.map((one) => [one.participantId, one]));
  const roleOf = (id: string) =>
    id === referrerId ? 'referrer' : id === refereeId ? 'referee' : undefined;
  return (
    <>
      <ScrollBox label="Drawing of the ring">
        <svg
          className="ring-picture"
          viewBox={`0 0 ${width} ${height}`}
          style={{ maxWidth: LARGEST * width }}
          role="img"
          aria-label={`${countOf(people.length, 'person', 'people')} and what connects them, as in the list below`}
        >
          <defs>
            <marker
              id={arrow}
              viewBox="0 0 8 8"
              refX="4"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto-start-reverse"
            >
              <path d="M0 0.5 8 4 0 7.5Z" className="ring-arrow" />
            </marker>
          </defs>
          {shared.map((one) => (
            <SharedLines key={`${one.kind} ${one.ids.join(' ')}`} of={one} />
          ))}
          {referrals.map(({ from, to, start, end }) => (
            <line
              key={`${from} ${to}`}
              className="ring-referral"
              x1={start.x}
              y1={start.y}
              x2={end.x}
              y2={end.y}
              markerEnd={`url(#${arrow})`}
            />
          ))}
          {shared.map(({ kind, at, ids }) => (
            <g key={`${kind} ${ids.join(' ')}`} className="ring-mark" data-kind={kind}>
              <title>{SHARED[kind].label}</title>
              <circle cx={at.x} cy={at.y} r={MARK_RADIUS} />
              <text x={at.x} y={at.y} dy="0.35em">
                {SHARED[kind].mark}
              </text>
            </g>
          ))}
          {people.map((place) => (
            <PersonPlace
              key={place.id}
              place={place}
              externalId={parties.get(place.id)?.externalId ?? null}
              isGroup={parties.get(place.id)?.kind === 'group'}
              role={roleOf(place.id)}
              isNamed={people.length <= NAMED_MAX || roleOf(place.id) !== undefined}
            />
          ))}
        </svg>
      </ScrollBox>
      <ul className="ring-legend" aria-label="Legend">
        {referrals.length > 0 && (
          <li>
            <svg width="34" height="12" aria-hidden="true">
              <line
                className="ring-referral"
                x1="1"
                y1="6"
                x2="27"
                y2="6"
                markerEnd={`url(#${arrow})`}
              />
            </svg>
            Referred
          </li>
        )}
        {kinds.map((kind) => (
          <li key={kind}>
            <svg width="34" height="22" aria-hidden="true">
              <line className="ring-shared" data-kind={kind} x1="0" y1="11" x2="34" y2="11" />
              <g className="ring-mark" data-kind={kind}>
                <circle cx="17" cy="11" r={MARK_RADIUS} />
                <text x="17" y="11" dy="0.35em">
                  {SHARED[kind].mark}
                </text>
              </g>
            </svg>
            {SHARED[kind].label}
          </li>
        ))}
      </ul>
      <ul className="sentence-list ring-words" aria-label="The drawing in words">
        {describeRing(referred, groups).map((sentence) => (
          <li key={`${sentence.says} ${sentence.who.join(' ')}`}>
            <InWords sentence={sentence} />
          </li>
        ))}
      </ul>
    </>
  );
}

function SharedLines({ of: { kind, lines } }: { of: SharedAt }) {
  return lines.map(({ from, to }) => (
    <line
      key={`${to.x} ${to.y}`}
      className="ring-shared"
      data-kind={kind}
      x1={from.x}
      y1={from.y}
      x2={to.x}
      y2={to.y}
    />
  ));
}

interface PersonPlaceProps {
  readonly place: PersonAt;
  readonly externalId: string | null;
  readonly isGroup: boolean;
  readonly role: 'referrer' | 'referee' | undefined;
  readonly isNamed: boolean;
}

const LABEL_GAP = PERSON_RADIUS + 6;
const NAME_MAX = 15;
const LABELS = {
  above: { dx: 0, dy: -LABEL_GAP, anchor: 'middle' },
  below: { dx: 0, dy: LABEL_GAP + 9, anchor: 'middle' },
  left: { dx: -LABEL_GAP, dy: 4, anchor: 'end' },
  right: { dx: LABEL_GAP, dy: 4, anchor: 'start' },
} as const;

function PersonPlace({ place, externalId, isGroup, role, isNamed }: PersonPlaceProps) {
  const { id, x, y, side } = place;
  const person = usePerson(id, {
    externalId,
    kind: isGroup ? 'group' : 'individual',
  });
  const name = person ? personLabel(person, id) : id;
  const { dx, dy, anchor } = LABELS[side];
  const size = 2 * PERSON_RADIUS;
  return (
    <g className="ring-person" data-role={role}>
      <title>{name}</title>
      <rect
        x={x - PERSON_RADIUS}
        y={y - PERSON_RADIUS}
        width={size}
        height={size}
        rx={isGroup ? 8 : PERSON_RADIUS}
      />
      <text x={x} y={y} dy="0.35em" className="ring-initials">
        {(person && !isErased(person, id) && initialsOf(name)) || '–'}
      </text>
      {isNamed && (
        <text x={x + dx} y={y + dy} textAnchor={anchor} className="ring-name">
          {name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name}
        </text>
      )}
    </g>
  );
}

function InWords({ sentence: { who, says, whom } }: { sentence: RingSentence }) {
  return (
    <Text component="span" size="sm">
      <People ids={who} /> {says}
      {whom.length > 0 && ' '}
      <People ids={whom} />
    </Text>
  );
}

function People({ ids }: { ids: readonly string[] }) {
  return ids.map((id, index) => (
    <Fragment key={id}>
      {index > 0 && (index === ids.length - 1 ? ' and ' : ', ')}
      <PersonInline id={id} />
    </Fragment>
  ));
}
