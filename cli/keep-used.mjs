/**
 * The parts of openapi.json that src/calls/document.ts names, which are less than half of it: every
 * start of the command line reads them.
 */
export function keepUsed({ info, paths, webhooks, components }) {
  const mapValues = (from, change) =>
    Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value)]));
  return {
    info,
    paths: mapValues(paths, (path) => mapValues(path, keepOperation)),
    webhooks: mapValues(webhooks, () => ({})),
    components: { schemas: components.schemas },
  };
}

function keepOperation({ summary, description, parameters, requestBody, responses, ...more }) {
  const { 200: ok, 202: accepted } = responses;
  return {
    summary,
    description,
    'x-callers': more['x-callers'],
    'x-permissions': more['x-permissions'],
    parameters,
    requestBody,
    responses: { 200: ok, 202: accepted },
  };
}
