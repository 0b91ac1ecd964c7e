import {
  healthSchema,
  linkSchema,
  loginSchema,
  modelsSchema,
  statusSchema,
  tokenSchema,
} from '@toolpost/protocol/schemas';
import { listProviders } from '../../models/providers.ts';
import { HOST_VERSION } from '../../version.ts';
import type { OneUseLinks } from '../one-use-links.ts';
import { createOpenApi } from '../open-api.ts';
import { Problem } from '../problem.ts';
import { defineRoute, type Route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';
import { pageRoutes } from './page-routes.ts';

/** The page, what describes the server, and who came in. `others` are the routes that the document tells of. */
export function serverRoutes(parts: ServerParts, others: readonly Route[]): readonly Route[] {
  const all = (): readonly Route[] => [...others, ...routes, document];
  const { links } = parts;
  const own = links ? [...pageRoutes(parts, all), ...loginRoutes(parts, links)] : [];
  const routes = [...own, ...statusRoutes(parts)];
  const document: Route = defineRoute({
    method: 'get',
    path: '/openapi.json',
    summary: 'Get this document',
    tag: 'server',
    isOpen: true,
    answer: { status: 200, description: 'OpenAPI 3.1.', contentType: 'application/json' },
    handle: (): unknown => createOpenApi(all(), parts.url()),
  });
  return [...routes, document];
}

function loginRoutes({ url }: ServerParts, links: OneUseLinks): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/api/login',
      summary: 'Get the token that a one-use link stands for',
      tag: 'server',
      isOpen: true,
      body: loginSchema,
      answer: { status: 200, description: 'It works once.', schema: tokenSchema },
      errors: ['UNAUTHORIZED'],
      handle({ body: { code } }) {
        const token = links.redeem(code);
        if (token !== undefined) return { token };
        throw new Problem(401, 'UNAUTHORIZED', 'this link was used, or is too old: make another with POST /api/links');
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/links',
      summary: 'Make a link that opens the page once, with your token',
      tag: 'server',
      answer: { status: 201, description: 'Good for 15 minutes.', schema: linkSchema },
      handle({ context }) {
        const [, token = ''] = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? [];
        return { url: `${url()}/#${links.create(token)}` };
      },
    }),
  ];
}

function statusRoutes({ host, sessions, environment, startedAt }: ServerParts): readonly Route[] {
  const model = host.settings.model ?? 'demo';
  return [
    defineRoute({
      method: 'get',
      path: '/healthz',
      summary: 'Tell whether the server answers',
      tag: 'server',
      isOpen: true,
      answer: { status: 200, description: 'It does.', schema: healthSchema },
      handle: () => ({ status: 'ok', version: HOST_VERSION }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/status',
      summary: 'Tell what runs, and who you are',
      tag: 'server',
      answer: { status: 200, description: 'As it is now.', schema: statusSchema },
      // How busy all are is the operator's to know.
      handle: ({ principal: { tenant, user, isOperator } }) => ({
        version: HOST_VERSION,
        startedAt,
        tenant,
        user,
        isOperator,
        model,
        openTurns: isOperator ? sessions.openTurns : sessions.openTurnsOf({ tenant, user }),
      }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/models',
      summary: 'List the providers of models, and whether their keys are set',
      tag: 'server',
      answer: { status: 200, description: 'By provider.', schema: modelsSchema },
      handle: () => ({ default: model, providers: listProviders(environment) }),
    }),
  ];
}
