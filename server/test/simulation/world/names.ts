/** What the service is given as the id of a person: it stands nowhere in a hash by chance. */
export const externalIdOf = (person: number) => `p${person}zqxv`;

/** Codes are as personal as the names in them. */
export const codeOf = (person: number, program: number) =>
  `code-${externalIdOf(person)}-g${program}`;

export const slugOf = (person: number, program: number) =>
  `link-${externalIdOf(person)}-g${program}`;

/** Of a person, in the model. */
export const nameOf = (person: number) => `p${person}`;
