import { columnTypes } from '../kit/floor.mjs';
import { purchase, signUp } from '../kit/projects.mjs';
import { trace } from '../kit/trace.mjs';
import { addedNumbers, insertMultiplied, multiply } from './multiply.mjs';

const PURCHASES_PER_PERSON = 3;
const SLICE = 25_000;

/**
 * Fills a Project with about `events` Events: a quarter signups with a code, three purchases
 * for each, with all that they leave. The rows are those of real calls, many times over.
 */
export async function fillProject(query, service, target, events) {
  const { projectId } = target;
  const people = Math.round(events / (1 + PURCHASES_PER_PERSON));
  const types = await columnTypes(query);
  await signUp(service, target, 'grown-one');
  await purchase(service, target, 'grown-one', 'grown-buy-one');
  const signup = await trace(query, projectId, () => signUp(service, target, 'grown-two'));
  const first = await trace(query, projectId, () =>
    purchase(service, target, 'grown-two', 'grown-buy-two'),
  );
  const later = await trace(query, projectId, () =>
    purchase(service, target, 'grown-two', 'grown-buy-three'),
  );

  const bases = await listBases(query, projectId);
  const base = (table, name) => bases.get(`${table}.${name}`);
  const rowsOf = ({ made }, table) => made.filter((one) => one.table === table);
  // Each person's purchases follow their signup, in every list.
  const stride = (table) =>
    rowsOf(signup, table).length + PURCHASES_PER_PERSON * rowsOf(later, table).length;
  const moveOn = (traced) => {
    for (const [table, name] of NUMBERED) {
      bases.set(`${table}.${name}`, base(table, name) + rowsOf(traced, table).length);
    }
  };
  const people$ = { projectId, count: people, base, stride };
  const signups = multiply(signup, {
    ...people$,
    names: [['grown-two', `'grown-' || n`]],
  });
  await insertMultiplied(query, types, signups, { count: people, slice: SLICE });
  moveOn(signup);

  // What hangs on a person's own ids is a row for each, and not one that all add to.
  const personal = new Set(signups.ids.keys());
  const isPersonal = (row) => personal.has(row.subject);
  for (let nth = 0; nth < PURCHASES_PER_PERSON; nth += 1) {
    const traced = nth === 0 ? withLater(first, later, isPersonal) : later;
    const names = [
      ...signups.ids,
      [nth === 0 ? 'grown-buy-two' : 'grown-buy-three', `'grown-buy-${nth}-' || n`],
      ...newIds(traced).map((id, at) => [
        id,
        `'${id.split('_', 1)[0]}_0${nth + 5}${at}' || lpad(n::text, 23, '0')`,
      ]),
    ];
    const purchases = multiply(traced, { ...people$, names, ownerOf: isPersonal });
    await insertMultiplied(query, types, purchases, { count: people, slice: SLICE });
    moveOn(traced);
  }
  await saveHead(query, projectId);
  return { people, events: people * (1 + PURCHASES_PER_PERSON) };
}

const newIds = ({ made }) =>
  made.flatMap(({ row }) => (typeof row.id === 'string' ? [row.id] : []));

/** The first purchase makes a person's figures; the later ones only add to them. */
function withLater(first, later, isPersonal) {
  const added = later.changed.filter(({ row }) => isPersonal(row));
  const made = first.made.map(({ table, row }) => {
    const change = added.find(
      (one) => one.table === table && one.row.subject === row.subject && one.row.part === row.part,
    );
    if (!change) return { table, row };
    const numbers = { ...row.numbers };
    for (const [name, more] of Object.entries(addedNumbers(change))) {
      numbers[name] = String(BigInt(numbers[name] ?? 0) + BigInt(PURCHASES_PER_PERSON - 1) * more);
    }
    return { table, row: { ...row, numbers } };
  });
  return { ...first, made };
}

const NUMBERED = [
  ['events', 'number'],
  ['participants', 'number'],
  ['participants', 'kind_number'],
  ['rewards', 'number'],
  ['feed_events', 'position'],
];

async function listBases(query, projectId) {
  const bases = new Map();
  for (const [table, name] of NUMBERED) {
    const [{ last }] = await query(
      `select coalesce(max(${name}), 0)::int as last from ${table} where project_id = $1`,
      [projectId],
    );
    bases.set(`${table}.${name}`, last);
  }
  return bases;
}

/** Gives the head what the writer would have given out by now. */
async function saveHead(query, projectId) {
  const bases = await listBases(query, projectId);
  const numbers = {
    events: bases.get('events.number'),
    rewards: bases.get('rewards.number'),
    participants: bases.get('participants.number'),
    participants_individual: bases.get('participants.kind_number'),
  };
  await query(
    `update project_heads set feed_position = $2, numbers = numbers || $3::jsonb
     where project_id = $1`,
    [projectId, bases.get('feed_events.position'), JSON.stringify(numbers)],
  );
}
