/** @param {string} name */
function read(name) {
  const value = process.env[name];
  if (!value) throw new Error(`The setting ${name} is missing.`);
  return value;
}

export const settings = {
  goodwordUrl: read('GOODWORD_URL'),
  apiKey: read('GOODWORD_KEY'),
  projectId: read('PROJECT'),
  projectKey: read('PROJECT_KEY'),
  programId: read('PROGRAM'),
  sourceNamespaceId: read('SOURCE'),
  widgetSecret: read('WIDGET_SECRET'),
  webhookSecret: read('WEBHOOK_SECRET'),
  shopUrl: read('SHOP_URL'),
};
