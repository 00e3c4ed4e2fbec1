// Posts once to a URL on this machine, from a process of its own, and prints what came of it.
// usage: send-request.ts <url>
import { createAddressRules } from '../../src/outbound/webhooks/sender/address-rules.ts';
import { createLookup } from '../../src/outbound/webhooks/sender/resolve-host.ts';
import { createSender } from '../../src/outbound/webhooks/sender/send-request.ts';

const [url] = process.argv.slice(2) as [string];
const sender = createSender({
  reach: { rules: createAddressRules(['127.0.0.0/8']), lookup: createLookup() },
});
const result = await sender.send({ url, headers: {}, body: Buffer.from('{}') });
process.stdout.write(JSON.stringify(result));
await sender.close();
