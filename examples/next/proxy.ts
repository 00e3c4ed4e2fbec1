import { renewHandle } from '@goodword/sdk';
import { type NextRequest, NextResponse } from 'next/server';
import { settings } from './lib/settings';

const secure = settings.shopUrl.startsWith('https:');

export function proxy(request: NextRequest): Response {
  return renewHandle(request, NextResponse.next(), { secure });
}

export const config = { matcher: '/((?!_next/|webhooks).*)' };
