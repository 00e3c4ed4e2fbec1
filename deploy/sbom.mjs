// Writes what the service is made of: sbom.cdx.json (CycloneDX) and licenses.md, for packages that reach
// a server or a browser. What only builds or tests is left out.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const MEGABYTES = 2 ** 20;
const BROWSER_WORKSPACES = ['console', 'widget', 'landing', 'docs-site'];

const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** Packages that a workspace's built files contain: those that its source imports. */
function importedBy(workspace) {
  const files = readdirSync(join(ROOT, workspace, 'src'), { recursive: true, encoding: 'utf8' });
  const names = files
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .flatMap((file) => [
      ...read(join(workspace, 'src', file)).matchAll(
        /(?:from|import) '((?:@[\w-]+\/)?[\w][\w.-]*)/g,
      ),
    ])
    .map(([, name]) => name);
  return new Set(names);
}

const workspaces = ['server', 'sdk', ...BROWSER_WORKSPACES];
const bom = JSON.parse(
  execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', ...workspaces.flatMap((name) => ['-w', name])],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 100 * MEGABYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  ),
);
const byRef = new Map(bom.components.map((component) => [component['bom-ref'], component]));
const nextOf = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
const nameOf = (ref) => ref.slice(0, ref.lastIndexOf('@'));

/** By package, what it cannot do without: peers that may be missing are often tools. */
const neededBy = new Map(
  Object.entries(JSON.parse(read('package-lock.json')).packages).map(([path, entry]) => {
    const {
      dependencies,
      optionalDependencies,
      peerDependencies = {},
      peerDependenciesMeta,
    } = entry;
    const peers = Object.keys(peerDependencies).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    );
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const needed = { ...dependencies, ...optionalDependencies };
    return [`${name}@${entry.version}`, new Set([...Object.keys(needed), ...peers])];
  }),
);

const shippedBy = (workspace) =>
  BROWSER_WORKSPACES.includes(workspace)
    ? importedBy(workspace)
    : new Set(Object.keys(JSON.parse(read(`${workspace}/package.json`)).dependencies ?? {}));

const shipped = new Set();
for (const workspace of workspaces) {
  const { name } = JSON.parse(read(`${workspace}/package.json`));
  const ref = [...byRef.keys()].find((one) => nameOf(one) === name);
  const names = shippedBy(workspace);
  for (const one of nextOf.get(ref) ?? []) {
    if (names.has(nameOf(one)) && !one.startsWith('@goodword/')) shipped.add(one);
  }
}
for (const ref of shipped) {
  const needed = neededBy.get(ref) ?? new Set();
  for (const next of nextOf.get(ref) ?? []) if (needed.has(nameOf(next))) shipped.add(next);
}

const components = bom.components.filter((component) => shipped.has(component['bom-ref']));
const root = bom.metadata.component['bom-ref'];
bom.metadata.component.name = 'goodword';
writeFileSync(
  join(ROOT, 'sbom.cdx.json'),
  `${JSON.stringify(
    {
      ...bom,
      components,
      dependencies: [
        { ref: root, dependsOn: [...shipped] },
        ...bom.dependencies.filter(({ ref }) => shipped.has(ref)),
      ],
    },
    null,
    2,
  )}\n`,
);

const licenseOf = ({ licenses = [] }) =>
  licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(', ');
const rows = components
  .map((component) => {
    const home = component.externalReferences?.find(({ type }) => type === 'website')?.url ?? '';
    return `| ${component.name} | ${component.version} | ${licenseOf(component)} | ${home} |`;
  })
  .sort();
writeFileSync(
  join(ROOT, 'licenses.md'),
  ['| package | version | licence | home |', '| --- | --- | --- | --- |', ...rows, ''].join('\n'),
);
const unknown = components.filter((component) => licenseOf(component) === '');
console.log(`${components.length} packages in sbom.cdx.json and licenses.md`);
if (unknown.length > 0) {
  console.error(`No licence is stated by ${unknown.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 1;
}
