import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import * as z from 'zod/mini';
import { FairLimit } from '../../fair-limit.js';
import { accountIdOf, requirePermission, requirePerson } from '../management/management-access.js';
import { csvOf } from '../csv.js';
import { jsonBody } from '../request/json-body.js';
import { parseTextBody, textBody } from '../request/text-body.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { parse, parseBody, parseHeaders } from '../request/parse.js';
import type { Endpoint, Endpoints } from './endpoint.js';

/**
 * The heavy calls at once, and those of one account. With PostgreSQL all calls share ten connections: one
 * account that asks for much must leave some for others, and for viewers.
 */
const HEAVY = new FairLimit({ atOnce: 6, ofOne: 3 });

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

/** A request, with everything that its endpoint declares already parsed. */
export interface EndpointCall<Declared extends Endpoint> {
  readonly params: Parsed<Declared['params']>;
  readonly query: Parsed<Declared['query']>;
  readonly headers: Parsed<Declared['headers']>;
  readonly body: Parsed<Declared['body']>;
  /** The account that the caller acts for, with `access: 'account'`. */
  readonly accountId: AccountId<Declared['access']>;
  readonly req: Request;
  readonly res: Response;
}

type AccountId<Access> = Access extends 'account' ? string : undefined;

type ResponseBody<Declared extends Endpoint> = Declared['response'] extends z.ZodMiniType
  ? z.input<Declared['response']>
  : Declared['fileTypes'] extends readonly string[]
    ? Buffer
    : void;

/** Answers a call. The router sends what it returns as JSON, with the status of the endpoint. */
export type EndpointHandler<Declared extends Endpoint> = {
  // A method, because TypeScript compares the parameters of methods in both directions. See `requestHandlers`.
  handle(call: EndpointCall<Declared>): ResponseBody<Declared> | Promise<ResponseBody<Declared>>;
}['handle'];

/** A handler of whichever endpoint. */
type AnyHandler = { handle(call: EndpointCall<Endpoint>): unknown }['handle'];

/** Express handlers, which parse the request and send the response themselves. */
export type RawHandlers = readonly RequestHandler[];

/** A handler for each endpoint of a group. */
export type EndpointHandlers<Group extends Endpoints> = {
  readonly [Name in keyof Group]: EndpointHandler<Group[Name]> | RawHandlers;
};

export interface EndpointRouterOptions {
  /** Accepts or refuses callers of endpoints with `access: 'account'`. Required if there are any. */
  readonly accountAccess?: RequestHandler;
  /** Answers OPTIONS. */
  readonly preflight?: RequestHandler;
  /** Run before the handlers, at each path. */
  readonly before?: RawHandlers;
  /** Receives the errors of these endpoints before the error handler of the app. */
  readonly onError?: ErrorRequestHandler;
}

/** Express routes for a group of endpoints. Other methods at the same paths are refused with 405. */
export function endpointRouter<Group extends Endpoints>(
  group: Group,
  handlers: EndpointHandlers<Group>,
  { accountAccess, preflight, before = [], onError }: EndpointRouterOptions = {},
): Router {
  const router = Router();
  const byPath = Map.groupBy(Object.entries<Endpoint>(group), ([, { path }]) => path);
  for (const [path, declared] of [...byPath].toSorted(literalPathsFirst)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    if (preflight) route.options(preflight);
    for (const handler of before) route.all(handler);
    if (declared.some(([, { access }]) => access === 'account')) {
      if (!accountAccess) throw new Error(`${path} needs accountAccess`);
      route.all(accountAccess);
    }
    for (const [name, endpoint] of declared) {
      if (endpoint.access === 'account') route[endpoint.method](requirePermission(endpoint.permission));
      if (endpoint.callers === 'people') route[endpoint.method](requirePerson);
      route[endpoint.method](...requestHandlers(endpoint, handlers[name]!));
    }
    route.all(methodNotAllowed(...declared.map(([, { method }]) => method.toUpperCase())));
    if (onError) route.all(onError);
  }
  return router;
}

/** `/list` before `/{id}`, which would match it too. */
function literalPathsFirst([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return Number(one.includes('{')) - Number(other.includes('{'));
}

function requestHandlers(endpoint: Endpoint, handler: AnyHandler | RawHandlers): RawHandlers {
  if (typeof handler !== 'function') return handler;
  const {
    params,
    query,
    headers,
    body,
    bodyType,
    bodyTypes = [],
    bodyLimit,
    status = 200,
    response,
    csvColumns,
    csvRows,
    access,
    isHeavy,
  } = endpoint;
  const respond: RequestHandler = async (req, res) => {
    const accountId = access === 'account' ? accountIdOf(req) : undefined;
    const call: EndpointCall<Endpoint> = {
      params: params && parse(params, req.params),
      query: query && parse(query, req.query),
      body: body && (bodyType === undefined ? parseBody(body, req) : parseTextBody(body, bodyType, req)),
      headers: headers && parseHeaders(headers, req),
      accountId,
      req,
      res,
    };
    const data = await (isHeavy && accountId !== undefined
      ? HEAVY.run(accountId, async () => handler(call))
      : handler(call));
    res.status(status);
    if (csvColumns) res.vary('accept');
    if (csvColumns && req.accepts(['json', 'csv']) === 'csv')
      res.type('csv').send(csvOf(csvColumns, rowsOf(data, csvRows)));
    else if (response) res.json(data);
    else if (Buffer.isBuffer(data)) res.send(data);
    else res.end();
  };
  const reader = bodyType === undefined ? jsonBody(bodyTypes, bodyLimit) : textBody(bodyType, bodyLimit);
  return body ? [reader, respond] : [respond];
}

/** The objects in `data` of a response, or in a field of it. */
function rowsOf(response: unknown, field: string | undefined): Record<string, unknown>[] {
  const { data } = Object(response) as { readonly data?: unknown };
  return tableRows.parse(field === undefined ? data : (Object(data) as Record<string, unknown>)[field]);
}

const tableRows = z.array(z.record(z.string(), z.unknown()));
