import type { Route } from '../../platform/http/routes/route.ts';
import { listRoutes } from './lists/list-routes.ts';
import { policyRoutes } from './policy-routes.ts';
import type { RiskDeps } from './risk-deps.ts';

export function riskRoutes(deps: RiskDeps): Route[] {
  return [...policyRoutes(deps), ...listRoutes(deps)];
}
