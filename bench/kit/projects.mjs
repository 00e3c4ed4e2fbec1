import { callService } from './service.mjs';

/**
 * Makes a Project through the API, with all that a rewarded signup needs: a source, an
 * active referral program with a cash rule for each side, a referrer and their code.
 */
export async function makeTemplate(
  service,
  { rewardsPurchases = false, environment = 'live' } = {},
) {
  const post = (path, body, key) => callService(service, 'POST', path, { body, key });
  const workspaceId = (await post('/v1/workspaces', { name: 'Bench' })).data.id;
  const place = { workspaceId, environment };
  const project = (await post('/v1/projects', { ...place, name: 'Bench' })).data;
  const projectId = project.id;
  const { key } = await post('/v1/api-keys', { ...place, name: 'Bench', permissions: 'full' });
  const write = (path, body) => post(path, { projectId, ...body }, key);
  const { sourceNamespaceId } = await write('/v1/sources', {});
  const program = await write('/v1/programs', {
    kind: 'referral',
    name: 'Bench',
    config: { brandConfig: { landingPageUrl: 'https://example.com/' } },
  });
  const programId = program.data.id;
  await write(`/v1/programs/${programId}/status`, { status: 'active' });
  for (const beneficiaryRole of ['referrer', 'referee']) {
    await write('/v1/benefit-rules', {
      programId,
      eventType: 'signup',
      beneficiaryRole,
      name: beneficiaryRole,
      terms: {
        benefitKind: 'cash',
        fixedAmountMinor: '1000',
        currency: 'USD',
        currencyExponent: 2,
      },
    });
  }
  if (rewardsPurchases) {
    await write('/v1/benefit-rules', {
      programId,
      eventType: 'purchase',
      beneficiaryRole: 'referrer',
      name: 'share',
      terms: {
        benefitKind: 'cash',
        calculation: 'percentage',
        rateBps: 1_000,
        durationMode: 'forever',
      },
    });
  }
  const code = 'bench-code';
  await write('/v1/referral-codes', {
    programId,
    participant: { kind: 'individual', externalId: 'referrer' },
    code,
  });
  const { projectKey } = project;
  return { workspaceId, projectId, projectKey, programId, sourceNamespaceId, key, code };
}

/** Sends one signup with the template's code and returns its answer. */
export function signUp(service, target, externalId) {
  const { projectId, sourceNamespaceId, code, key } = target;
  const participant = { kind: 'individual', externalId };
  const body = { projectId, sourceNamespaceId, type: 'signup', refCode: code, participant };
  return callService(service, 'POST', '/v1/track/events', { body, key });
}

export function purchase(service, target, externalId, sourceEventId) {
  const { projectId, sourceNamespaceId, key } = target;
  const body = {
    projectId,
    sourceNamespaceId,
    sourceEventId,
    type: 'purchase',
    participant: { kind: 'individual', externalId },
    purchase: { amountMinor: '4900', currency: 'USD', invoiceId: sourceEventId },
  };
  return callService(service, 'POST', '/v1/track/events', { body, key });
}

/** Tables whose rows belong to a Project; `projects` itself is keyed by id. */
export async function listProjectTables(query) {
  const rows = await query(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'project_id' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The columns that can be written: others the database computes by itself. */
export async function writtenColumns(query, table) {
  const rows = await query(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'
     order by ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Parents first, as foreign keys ask. */
async function sortByReference(query, tables) {
  const rows = await query(
    `select distinct conrelid::regclass::text as child, confrelid::regclass::text as parent
     from pg_constraint where contype = 'f'`,
  );
  const sorted = [];
  const visit = (table) => {
    if (sorted.includes(table) || !tables.includes(table)) return;
    for (const { child, parent } of rows) if (child === table && parent !== table) visit(parent);
    sorted.push(table);
  };
  for (const table of tables) visit(table);
  return sorted;
}

/** The number of the first copy: all have five digits. */
export const FIRST_COPY = 10_000;

/** `count` copies of the template as it stands, under ids `prj_<letter>` and 25 digits. */
export async function copyProject(query, template, letter, count) {
  const id = `'prj_${letter}' || lpad(n::text, 25, '0')`;
  const numbers = `generate_series(${FIRST_COPY}, ${FIRST_COPY + count - 1}) as n`;
  await query(
    `insert into projects
     select copy.* from projects p, ${numbers}, jsonb_populate_record(null::projects,
       to_jsonb(p) || jsonb_build_object('id', ${id}, 'project_key', '${letter}' || n)) as copy
     where p.id = $1`,
    [template.projectId],
  );
  for (const table of await sortByReference(query, await listProjectTables(query))) {
    const columns = await writtenColumns(query, table);
    await query(
      `insert into ${table} (${columns.join(', ')})
       select ${columns.map((name) => `copy.${name}`).join(', ')} from ${table} t, ${numbers}, jsonb_populate_record(null::${table},
         to_jsonb(t) || jsonb_build_object('project_id', ${id})) as copy
       where t.project_id = $1`,
      [template.projectId],
    );
  }
  return Array.from({ length: count }, (_, n) => ({
    ...template,
    projectId: `prj_${letter}${String(FIRST_COPY + n).padStart(25, '0')}`,
  }));
}
