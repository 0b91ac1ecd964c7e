import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { Mount } from './mount.ts';
import type { Principal } from './principal.ts';
import { Problem, problemResponse, toProblem } from './problem.ts';
import { checkedBy, readBody } from './read-body.ts';
import type { NodeContext, Route } from './route.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface AppParts {
  readonly routes: readonly Route[];
  readonly mounts: Readonly<Record<string, Mount>>;
  readonly door: Door;
  readonly redact: (text: string) => string;
  /** Hears of errors that nobody meant to throw. */
  readonly onBug: (error: unknown) => void;
}

/** Who comes in. */
export interface Door {
  /** @throws Problem FORBIDDEN for what a page of another site makes a browser send. */
  assertAddress(request: IncomingMessage): void;
  /** Who makes a request; undefined for nobody that is known. */
  authenticate(request: Request, incoming: IncomingMessage): Principal | undefined | Promise<Principal | undefined>;
}

/** What answers requests: each is checked for its address, its token and its form, in this order, then handled. */
export function createApp(parts: AppParts): Hono<{ Bindings: HttpBindings }> {
  const { routes, mounts, door, redact, onBug } = parts;
  const app = new Hono<{ Bindings: HttpBindings }>();
  const methodsAt = createMethodFinder(routes);
  app.use(async (context, next) => {
    door.assertAddress(context.env.incoming);
    await next();
    addSecurityHeaders(context.res.headers);
  });
  for (const route of routes) {
    app.on(route.method.toUpperCase(), honoPath(route.path), (context) => answer(route, context, door));
  }
  for (const [path, mount] of Object.entries(mounts)) {
    app.all(path, async (context) => {
      const { incoming, outgoing } = context.env;
      await mount.handle(incoming, outgoing, await principalOf(context, door));
      return RESPONSE_ALREADY_SENT;
    });
  }
  app.notFound(async (context) => {
    const { path } = context.req;
    if (path.startsWith('/api/')) await principalOf(context, door);
    throw notHere(context.req.method, path, methodsAt(path));
  });
  app.onError((error) => {
    const response = problemResponse(toProblem(error, onBug), redact);
    addSecurityHeaders(response.headers);
    return response;
  });
  return app;
}

/** Also to what a route answers as a response of its own; what it says of them itself counts. */
function addSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) if (!headers.has(name)) headers.set(name, value);
}

async function answer(route: Route, context: NodeContext, door: Door): Promise<Response> {
  const principal = route.isOpen ? NOBODY : await principalOf(context, door);
  const query = route.query && checkedBy(route.query, context.req.query(), 'the query');
  const body = route.body && (await readBody(context.req.raw, route.body));
  const request = { params: context.req.param(), query, body, principal, context };
  const value = await route.handle(request as Parameters<Route['handle']>[0]);
  if (value instanceof Response) return value;
  context.header('cache-control', 'no-store');
  const { status } = route.answer;
  return status === 204 ? context.body(null, 204) : context.json(value as object, status);
}

const NOBODY: Principal = { tenant: '', user: '', isOperator: false };

/** @throws Problem UNAUTHORIZED */
async function principalOf(context: NodeContext, door: Door): Promise<Principal> {
  const principal = await door.authenticate(context.req.raw, context.env.incoming);
  if (principal) return principal;
  throw new Problem(401, 'UNAUTHORIZED', 'this needs a token: send "Authorization: Bearer TOKEN"');
}

/** Which methods a path takes. */
function createMethodFinder(routes: readonly Route[]): (path: string) => readonly string[] {
  const known = routes.map(({ method, path }) => ({
    methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return (path) => known.flatMap(({ methods, pattern }) => (pattern.test(path) ? methods : []));
}

function notHere(method: string, path: string, methods: readonly string[]): Problem {
  if (methods.length === 0) return new Problem(404, 'NOT_FOUND', `there is nothing for ${method} ${path}`);
  const allow = methods.join(', ');
  return new Problem(405, 'METHOD_NOT_ALLOWED', `${path} does not take ${method}: it takes ${allow}`, { allow });
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
