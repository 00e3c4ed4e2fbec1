// Posts once to a URL on this machine, from a process of its own, and prints what came of it.
// usage: send-request.mjs <url>
import { createAddressRules } from '../../dist/webhooks/address-rules.js';
import { createLookup } from '../../dist/webhooks/resolve-host.js';
import { createSender } from '../../dist/webhooks/send-request.js';

const [url] = process.argv.slice(2);
const sender = createSender({
  reach: { rules: createAddressRules(['127.0.0.0/8']), lookup: createLookup() },
});
const result = await sender.send({ url, headers: {}, body: Buffer.from('{}') });
process.stdout.write(JSON.stringify(result));
await sender.close();
