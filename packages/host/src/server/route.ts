import type { ErrorCode } from '@toolpost/protocol';
import type { Context } from 'hono';
import type { z } from 'zod';
import type { Principal } from './principal.ts';

export type NodeContext = Context<{ Bindings: import('@hono/node-server').HttpBindings }>;

/** A request that was checked: who makes it, and what its schemas read. */
export interface RouteRequest<Query, Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly principal: Principal;
  readonly context: NodeContext;
}

interface RouteAnswer {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  /** Of a JSON answer. */
  readonly schema?: z.ZodType;
  /** Of any other one; several where the request says which. */
  readonly contentType?: string | readonly string[];
}

/** One request that the server answers. The OpenAPI document and the checks are made of it. */
export interface RouteOf<Query, Body> {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** As OpenAPI writes it: `/api/sessions/{id}`. */
  readonly path: string;
  readonly summary: string;
  /** What it is about, for the document's reader. */
  readonly tag: 'sessions' | 'turns' | 'approvals' | 'tools' | 'plugins' | 'calls' | 'interfaces' | 'server';
  /** Answered without a token. */
  readonly isOpen?: boolean;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  readonly answer: RouteAnswer;
  /** What it may fail with, beside a bad token and a request that its schemas refuse. */
  readonly errors?: readonly ErrorCode[];
  /** A value that `answer.schema` describes, or a whole response. @throws Problem, HostError */
  handle(request: RouteRequest<Query, Body>): unknown;
}

export type Route = RouteOf<never, never>;

export function defineRoute<Query = undefined, Body = undefined>(route: RouteOf<Query, Body>): Route {
  return route as unknown as Route;
}
