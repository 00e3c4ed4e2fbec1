/** What a person sees at the start: where things are, and what to do next. */
export function welcome(facts: {
  readonly version: string;
  readonly address: string;
  readonly database: string;
  readonly adminTokenPath: string | null;
}): string {
  const token =
    facts.adminTokenPath === null ? 'from the setting ADMIN_TOKEN' : `in ${facts.adminTokenPath}`;
  return `
  Goodword ${facts.version} is ready.

    Address      ${facts.address}
    API docs     ${facts.address}/docs
    Database     ${facts.database}
    Admin token  ${token}

  Next, in another terminal, make a workspace, a project and a key:

    npm run goodword -- init

  Stop with Ctrl+C.

`;
}
