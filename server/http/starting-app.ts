import type { RequestListener } from 'node:http';
import { isForPerson, refusalPage } from './pages/refusal-page.js';
import { REQUEST_ID_HEADER, type RequestIdentifier } from './request/request-id.js';

const RETRY_SECONDS = 5;

/** Answers every request while the server waits for its database. It is alive meanwhile. */
export function startingApp(since: Date, identify: RequestIdentifier): RequestListener {
  const code = 'database_unavailable';
  const message = 'The server starts when its database can be used; try again in a moment';
  const problems = [{ code, message, since: since.toISOString() }];
  return (req, res) => {
    const requestId = identify(req);
    const isLiveness = req.url === '/livez';
    const failure = { up: false, ready: false, problems, message, code, requestId };
    const body = isLiveness ? { status: 'success', data: { alive: true } } : { status: 'fail', data: failure };
    const status = isLiveness ? 200 : 503;
    const page = !isLiveness && isForPerson(req) ? refusalPage(req, { status, code, message, requestId }) : undefined;
    // Else the body of the request would be taken for the next request.
    req.resume();
    res.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      ...page?.headers,
      'cache-control': 'no-store',
      'retry-after': String(RETRY_SECONDS),
      [REQUEST_ID_HEADER]: requestId,
    });
    res.end(req.method === 'HEAD' ? undefined : (page?.html ?? JSON.stringify(body)));
  };
}
