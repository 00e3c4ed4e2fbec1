import type { Static, TObject, TSchema } from 'typebox';
import { ProjectIdText, ProjectKeyText, WidgetProjectIdText } from '../../kit/schema.ts';
import type {
  PageProject,
  Principal,
  ProjectRef,
  WidgetCaller,
  WidgetScope,
} from '../access/principal.ts';
import type { WithCookies } from './answers.ts';
import {
  buildRoute,
  type ProjectCall,
  placeProject,
  type Shapes,
  type TypedCall,
  withField,
} from './build-route.ts';
import type { Browser, Route } from './route.ts';

/** A route for anyone, about no Project, limited per address. */
export function openRoute<R extends TSchema, B extends TObject | undefined = undefined>(
  spec: Shapes<undefined, B, R> & {
    readonly perMinute: number;
    handle(
      call: TypedCall<undefined, B> & {
        readonly principal: Principal | undefined;
        readonly browser: Browser;
      },
    ): Promise<Static<R> | WithCookies<Static<R>>>;
  },
): Route {
  return buildRoute(spec, { access: { by: 'public', perMinute: spec.perMinute } });
}

/** A route for anyone, limited per address. */
export function publicRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & {
    readonly perMinute: number;
    handle(call: Omit<ProjectCall<Q, B>, 'principal'>): Promise<Static<R>>;
  },
): Route {
  return buildRoute(spec, {
    access: { by: 'public', perMinute: spec.perMinute },
    body: withField('projectId', ProjectIdText, spec.body),
    projectIn: 'body',
  });
}

/**
 * A route for scripts on pages of a Project's allowed origins, limited per address. They know the
 * Project by its public key: `projectKey` is added to the body.
 */
export function pageRoute<R extends TSchema, B extends TObject>(
  spec: Shapes<undefined, B, R> & {
    readonly perMinute: number;
    handle(
      call: Omit<ProjectCall<undefined, B>, 'principal' | 'project'> & {
        readonly project: PageProject;
        readonly browser: Browser;
      },
    ): Promise<Static<R>>;
  },
): Route {
  return buildRoute(spec, {
    access: { by: 'public', perMinute: spec.perMinute },
    body: withField('projectKey', ProjectKeyText, spec.body),
    projectIn: 'key',
    isForPages: true,
  });
}

interface WidgetCall<Q extends TObject | undefined, B extends TObject | undefined>
  extends TypedCall<Q, B> {
  readonly project: ProjectRef;
  readonly caller: WidgetCaller;
  readonly browser: Browser;
}

/**
 * A route for the Widget: for one participant, by the token that the Project's backend signed, on
 * pages of the Project's allowed origins, limited per participant. `projectId` is added where
 * `projectRoute` adds it, and must be the token's.
 */
export function widgetRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & {
    readonly scope: WidgetScope;
    handle(call: WidgetCall<Q, B>): Promise<Static<R>>;
  },
): Route {
  return buildRoute(spec, {
    access: { by: 'widget', scope: spec.scope },
    ...placeProject(spec, WidgetProjectIdText),
    isForPages: true,
  });
}
