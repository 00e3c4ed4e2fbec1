import { verifyWebhook, WebhookVerificationError } from '@goodword/sdk';
import { settings } from '../../lib/settings';
import { grant } from '../../lib/shop';

export async function POST(request: Request): Promise<Response> {
  return new Response(null, { status: await receive(request) });
}

async function receive(request: Request): Promise<number> {
  try {
    // The raw body: the signature is over its bytes.
    const body = await request.arrayBuffer();
    const event = await verifyWebhook(body, request.headers, settings.webhookSecret);
    if (event.type !== 'reward.earned') return 200;
    const { id, benefitKind, money, beneficiary } = event.data.reward;
    // 200 says that the shop granted the reward, 202 that it did not: Goodword pays cash out itself.
    const isGranted =
      benefitKind === 'credit' &&
      money !== null &&
      grant(id, beneficiary.externalId, BigInt(money.netAmountMinor));
    return isGranted ? 200 : 202;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 401;
    throw error;
  }
}
