import * as z from 'zod/mini';
import { createDocument, type oas31, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { auditBody } from '../../../src/wire/management/audit.js';
import { refusalBody } from '../../../src/wire/management/refusal.js';
import { createPublishToken, createSubscribeToken, tokenRecord } from '../../../src/wire/management/token.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { DATABASE_CODES } from '../endpoints/error-codes.js';
import { endpoints } from '../endpoints/endpoints.js';
import { publishTokenUpdate, subscribeTokenUpdate } from '../endpoints/token-endpoints.js';

const INTERNAL = z.object({ status: z.literal('error'), message: z.string(), code: z.string(), data: z.null() });

const JSON_TYPE = 'application/json';

/** Numbers of a query or a path arrive as text: the schemas that read them say no limits, which these do. */
const NUMBERS: Readonly<Record<string, oas31.SchemaObject>> = {
  page: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
  itemsOnPage: { type: 'integer', minimum: 1, maximum: 100, default: 100 },
  id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  tokenId: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  isDescending: { type: 'boolean', default: false },
};

/** What this server is, in OpenAPI 3.1, written from the schemas that its routes read and answer with. */
export function openApiDocument(publicUrl: string | undefined): oas31.OpenAPIObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of endpoints) {
    (paths[operation.path] ??= {})[operation.method] = operationObject(operation);
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Streamgate',
        version: '1',
        description:
          'Live video behind tokens. Refusals are `{"status":"fail","data":{"message":…,"code":…}}`; what each code means and what to do about it is in docs/errors. Bodies are JSON of 64 KB at most. A slash at the end of a path changes nothing.',
      },
      servers: [{ url: publicUrl ?? '/' }],
      components: {
        securitySchemes: {
          secret: { type: 'http', scheme: 'bearer', description: 'The API secret of the account' },
          login: { type: 'apiKey', in: 'cookie', name: 'streamgate_session', description: 'A dashboard login' },
          token: { type: 'http', scheme: 'bearer', description: 'A publish or subscribe token' },
        },
        schemas: {
          Token: tokenRecord,
          CreatePublishToken: createPublishToken,
          CreateSubscribeToken: createSubscribeToken,
          UpdatePublishToken: publishTokenUpdate,
          UpdateSubscribeToken: subscribeTokenUpdate,
          Refusal: refusalBody,
          AuditEntry: auditBody,
        },
      },
      paths: paths as ZodOpenApiPathsObject,
    },
    {
      override({ jsonSchema, zodSchema, io }) {
        explainUnknown(jsonSchema, zodSchema);
        // An answer may gain fields with time, and clients must not break when it does.
        if (io === 'output') delete jsonSchema.additionalProperties;
      },
    },
  );
  for (const operation of endpoints) {
    for (const parameter of parametersOf(document, operation)) {
      const numbers = NUMBERS[parameter.name];
      if (numbers) parameter.schema = numbers;
    }
  }
  return document;
}

const SECURITY = { account: [{ secret: [] }, { login: [] }], token: [{ token: [] }, {}], open: [{}] };

const ACCESS_CODES: Readonly<Record<Endpoint['access'], Readonly<Record<number, readonly string[]>>>> = {
  account: {
    401: ['secret_missing', 'secret_wrong', 'login_required'],
    403: ['cross_site_refused'],
    429: ['too_many_attempts'],
    ...DATABASE_CODES,
  },
  token: DATABASE_CODES,
  open: {},
};
const BODY_CODES = { 400: ['invalid_request', 'invalid_json'], 413: ['body_too_large'], 415: ['not_json'] };
const QUERY_CODES = { 400: ['invalid_request'] };

function operationObject(operation: Endpoint): ZodOpenApiOperationObject {
  const { id, tag, summary, description, params, query, headers, access, codes = {}, plainRefusals } = operation;
  const { body, bodyType = JSON_TYPE, bodyTypes = [], status: done = 200, answer, answerType = JSON_TYPE } = operation;
  const bodyCodes = body && bodyType === JSON_TYPE ? BODY_CODES : {};
  const refusals = [ACCESS_CODES[access], bodyCodes, query || params ? QUERY_CODES : {}, codes];
  const statuses = [...new Set(refusals.flatMap((byStatus) => Object.keys(byStatus)))].map(Number).toSorted();
  const refused = statuses.map((status) => {
    const given = [...new Set(refusals.flatMap((byStatus) => byStatus[status as keyof typeof byStatus] ?? []))];
    return [`${status}`, plainRefusals ? plainRefusal(given) : refusalObject(given)] as const;
  });
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: SECURITY[access],
    requestParams: { ...(params && { path: params }), ...(query && { query }), ...(headers && { header: headers }) },
    ...(body && {
      requestBody: {
        required: body._zod.def.type !== 'optional',
        content: Object.fromEntries([bodyType, ...bodyTypes].map((type) => [type, { schema: body }])),
      },
    }),
    responses: {
      [`${done}`]: { description: 'Done', ...(answer && { content: { [answerType]: { schema: answer } } }) },
      ...Object.fromEntries(refused),
      500: plainRefusals ? plainRefusal(['internal']) : INTERNAL_REFUSAL,
    },
  };
}

const INTERNAL_REFUSAL = { description: 'The server is at fault', content: { [JSON_TYPE]: { schema: INTERNAL } } };

function refusalObject(codes: readonly string[]) {
  const schema = z.object({
    status: z.literal('fail'),
    data: z.looseObject({ message: z.string(), code: z.enum(codes) }),
  });
  return { description: codesOf(codes), content: { [JSON_TYPE]: { schema } } };
}

function plainRefusal(codes: readonly string[]) {
  const header = z.object({ 'Streamgate-Code': z.enum(codes) });
  return { description: codesOf(codes), headers: header, content: { 'text/plain': { schema: z.string() } } };
}

const codesOf = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(', ');

/** Only fields of other services are read as unknown: each is taken at the value at which it changes nothing. */
function explainUnknown(jsonSchema: object, zodSchema: z.core.$ZodType): void {
  if (zodSchema._zod.def.type !== 'unknown' || (zodSchema._zod.def.checks ?? []).length === 0) return;
  Object.assign(jsonSchema, {
    description: 'Of other services. Taken at the value at which it changes nothing here; else `unsupported_field`.',
  });
}

function parametersOf(document: oas31.OpenAPIObject, { path, method }: Endpoint): oas31.ParameterObject[] {
  const found = document.paths?.[path]?.[method]?.parameters ?? [];
  return found.filter((parameter): parameter is oas31.ParameterObject => 'name' in parameter);
}
