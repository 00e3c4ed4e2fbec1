/** Printed at the start: addresses and files, and the next steps. */
export function welcome(facts: {
  readonly version: string;
  readonly address: string;
  readonly database: string;
  readonly adminTokenPath: string | null;
  /** Null once there is a user. */
  readonly setupLink: string | null;
}): string {
  const token =
    facts.adminTokenPath === null ? 'from the setting ADMIN_TOKEN' : `in ${facts.adminTokenPath}`;
  const setup =
    facts.setupLink === null
      ? `    Console      ${facts.address}/console\n`
      : `
  The console has no user yet. Open this link to create the first one. It works once, until the next start:

    ${facts.setupLink}
`;
  return `
  Goodword ${facts.version} is ready.

    Address      ${facts.address}
    Docs         ${facts.address}/docs
    Database     ${facts.database}
    Admin token  ${token}
${setup}
  Next, in another terminal, create a workspace, a project and a key:

    npm run goodword -- init

  Stop with Ctrl+C.

`;
}
