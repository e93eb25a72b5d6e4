import { Router } from 'express';
import * as z from 'zod/mini';
import { createDocument, type oas31, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { auditBody } from '../../../src/wire/management/audit.js';
import { refusalBody } from '../../../src/wire/management/refusal.js';
import {
  createPublishToken,
  createSubscribeToken,
  tokenRecord,
  updatePublishToken,
  updateSubscribeToken,
} from '../../../src/wire/management/token.js';
import { DATABASE_CODES, type Endpoint } from '../endpoints/endpoint.js';
import { endpoints } from '../endpoints/endpoints.js';
import { SESSION_COOKIE } from '../management/session-cookie.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { madeFile, sendBuiltFile, type BuiltFile } from '../pages/built-files.js';

const JSON_TYPE = 'application/json';

// Named here and not below `components`, where zod-openapi would also describe what the schemas transform requests into.
z.globalRegistry.add(createPublishToken, { id: 'CreatePublishToken' });
z.globalRegistry.add(createSubscribeToken, { id: 'CreateSubscribeToken' });
z.globalRegistry.add(updatePublishToken, { id: 'UpdatePublishToken' });
z.globalRegistry.add(updateSubscribeToken, { id: 'UpdateSubscribeToken' });

/** The HTTP API in OpenAPI 3.1, made from the declarations of the endpoints. */
export function openApiDocument(publicUrl: string | undefined): oas31.OpenAPIObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method] = operationOf(endpoint);
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Streamgate',
        version: '1',
        description:
          'Live video behind tokens. Refusals are `{"status":"fail","data":{"message":…,"code":…,"requestId":…}}`; docs/errors has a page for each code, with what it means and what to do. Bodies are JSON of 64 KB at most. A slash at the end of a path is ignored.',
      },
      servers: [{ url: publicUrl ?? '/' }],
      components: {
        securitySchemes: {
          secret: { type: 'http', scheme: 'bearer', description: 'The API secret or a key of the account' },
          login: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'A dashboard login' },
          token: { type: 'http', scheme: 'bearer', description: 'A publish or subscribe token' },
        },
        schemas: {
          Token: tokenRecord,
          Refusal: refusalBody,
          AuditEntry: auditBody,
        },
      },
      paths: paths as ZodOpenApiPathsObject,
    },
    {
      override({ jsonSchema, zodSchema, io }) {
        if (zodSchema instanceof z.ZodMiniUnknown && !acceptsEverything(zodSchema)) {
          jsonSchema.description = UNSUPPORTED_FIELD_DESCRIPTION;
        }
        // Responses may gain fields in later versions, and clients must accept them.
        if (io === 'output') delete jsonSchema.additionalProperties;
      },
    },
  );
  for (const endpoint of endpoints) describeParsedParameters(document, endpoint);
  return document;
}

/**
 * Query and path parameters arrive as text, and their schemas parse some into numbers or known words. The document
 * describes the parsed value with its limits, not the text.
 */
function describeParsedParameters(document: oas31.OpenAPIObject, { path, method, params, query }: Endpoint): void {
  const schemas = new Map<string, oas31.SchemaObject>();
  for (const schema of [params, query]) {
    if (!schema) continue;
    const { properties = {} } = z.toJSONSchema(schema, { io: 'output' });
    for (const [name, property] of Object.entries(properties)) {
      if (typeof property !== 'object') continue;
      const isParsed = property.type === 'integer' || property.type === 'boolean' || property.enum !== undefined;
      if (isParsed) schemas.set(name, property as oas31.SchemaObject);
    }
  }
  for (const parameter of document.paths?.[path]?.[method]?.parameters ?? []) {
    if (!('name' in parameter)) continue;
    const schema = schemas.get(parameter.name);
    if (schema) parameter.schema = schema;
  }
}

/** Fields of other services are declared as unknown, with a check that accepts the values without an effect. */
const UNSUPPORTED_FIELD_DESCRIPTION =
  'Of other services. Accepted only with a value that changes nothing here; otherwise `unsupported_field`.';

function acceptsEverything(schema: z.ZodMiniUnknown): boolean {
  return schema.safeParse(Symbol('any value')).success;
}

const SECURITY = { account: [{ secret: [] }, { login: [] }], token: [{ token: [] }, {}], open: [{}] };

type ErrorCodes = Readonly<Record<number, readonly string[]>>;

const ACCESS_CODES: Readonly<Record<Endpoint['access'], ErrorCodes>> = {
  account: {
    401: ['secret_missing', 'secret_wrong', 'key_expired', 'key_revoked', 'login_required'],
    403: ['cross_site_refused', 'permission_missing'],
    429: ['too_many_attempts', 'too_many_calls'],
    ...DATABASE_CODES,
  },
  token: DATABASE_CODES,
  open: {},
};
const BINARY = { type: 'string', format: 'binary' } as const;
const BODY_CODES: ErrorCodes = { 400: ['invalid_request', 'invalid_json'], 413: ['body_too_large'], 415: ['not_json'] };
const PARAMETER_CODES: ErrorCodes = { 400: ['invalid_request'] };

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { id, tag, summary, params, query, headers, access } = endpoint;
  const description = descriptionOf(endpoint);
  const { body, bodyType = JSON_TYPE, bodyTypes = [] } = endpoint;
  const { status = 200, response, responseType = JSON_TYPE, fileTypes = [], csvColumns } = endpoint;
  const content = {
    ...(response && { [responseType]: { schema: response } }),
    ...Object.fromEntries(fileTypes.map((type) => [type, { schema: BINARY }])),
    ...(csvColumns && { 'text/csv': { schema: z.string() } }),
  };
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: SECURITY[access],
    requestParams: { ...(params && { path: params }), ...(query && { query }), ...(headers && { header: headers }) },
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: Object.fromEntries([bodyType, ...bodyTypes].map((type) => [type, { schema: body }])),
      },
    }),
    responses: {
      [`${status}`]: { description: 'Done', ...(Object.keys(content).length > 0 && { content }) },
      ...refusalsOf(endpoint),
    },
  };
}

function descriptionOf({ description, permission, callers }: Endpoint): string | undefined {
  if (permission === undefined) return description;
  const people = callers && 'Only for people at the dashboard.';
  return [description, people, `Needs the permission \`${permission}\`.`].filter(Boolean).join(' ');
}

function refusalsOf(endpoint: Endpoint) {
  const { access, callers, body, bodyType = JSON_TYPE, params, query, errors = {}, plainRefusals } = endpoint;
  const sources: ErrorCodes[] = [
    ACCESS_CODES[access],
    callers ? { 403: ['person_required'] } : {},
    body && bodyType === JSON_TYPE ? BODY_CODES : {},
    query || params ? PARAMETER_CODES : {},
    errors,
  ];
  const statuses = [...new Set(sources.flatMap((codes) => Object.keys(codes).map(Number)))].toSorted((a, b) => a - b);
  const refusal = plainRefusals ? plainRefusal : jsonRefusal;
  return {
    ...Object.fromEntries(
      statuses.map((status) => [`${status}`, refusal([...new Set(sources.flatMap((codes) => codes[status] ?? []))])]),
    ),
    500: plainRefusals ? plainRefusal(['internal']) : INTERNAL_ERROR,
  };
}

const INTERNAL_ERROR = {
  description: 'The server is at fault',
  content: {
    [JSON_TYPE]: {
      schema: z.object({
        status: z.literal('error'),
        message: z.string(),
        code: z.string(),
        requestId: z.string(),
        data: z.null(),
      }),
    },
  },
};

function jsonRefusal(codes: readonly string[]) {
  const schema = z.object({
    status: z.literal('fail'),
    data: z.looseObject({ message: z.string(), code: z.enum(codes), requestId: z.string() }),
  });
  return { description: listOf(codes), content: { [JSON_TYPE]: { schema } } };
}

function plainRefusal(codes: readonly string[]) {
  const header = z.object({ 'Streamgate-Code': z.enum(codes) });
  return { description: listOf(codes), headers: header, content: { 'text/plain': { schema: z.string() } } };
}

const listOf = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(', ');

/** `GET /api/openapi.json`, open to everyone: it describes the API and holds no data. */
export function openApiRoutes(publicUrl: string | undefined): Router {
  const router = Router();
  let file: BuiltFile | undefined;
  router
    .route('/api/openapi.json')
    .get((req, res) => {
      file ??= madeFile('openapi.json', JSON.stringify(openApiDocument(publicUrl)));
      res.set({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache' });
      sendBuiltFile(req, res, file);
    })
    .all(methodNotAllowed('GET'));
  return router;
}
