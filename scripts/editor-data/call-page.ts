import type { Endpoint } from '../../server/http/endpoints/endpoint.ts';

/** The page of all calls of the HTTP API in docs/reference, by what they are about. */
export function callPage(endpoints: readonly Endpoint[]): string {
  const byTag = Map.groupBy(endpoints, ({ tag }) => tag);
  return [
    '<!-- Generated from the declarations of the endpoints by `npm run generate`. Do not edit. -->',
    '# Calls of the HTTP API',
    'Every call, and who may make it: everyone, the holder of a publish or subscribe token, or a caller of the [management API](../api.md) with a [permission](../api.md#keys-for-machines). `GET /api/openapi.json` describes each with its fields, limits and codes, and `GET /api/docs` shows that as a page. A name of a stream may contain slashes. [Other addresses](../api.md#other-addresses) are those of pages, scripts and websockets.',
    ...[...byTag].map(([tag, calls]) => `## ${tag}\n\n${table(calls)}`),
  ]
    .join('\n\n')
    .concat('\n');
}

function table(calls: readonly Endpoint[]): string {
  const rows = calls.map((call) => {
    const address = `\`${call.method.toUpperCase()} ${call.path}\``;
    return `| ${address} | ${call.summary} | ${callersOf(call)} |`;
  });
  return ['| call | what it does | who may call |', '| --- | --- | --- |', ...rows].join('\n');
}

function callersOf({ access, permission, callers }: Endpoint): string {
  if (access === 'open') return 'everyone';
  if (access === 'token') return 'a token';
  return callers === 'people' ? `\`${permission}\`, by login only` : `\`${permission}\``;
}
