import type { RequestListener } from 'node:http';
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
    // Else the body of the request would be taken for the next request.
    req.resume();
    res.writeHead(isLiveness ? 200 : 503, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': String(RETRY_SECONDS),
      [REQUEST_ID_HEADER]: requestId,
    });
    res.end(req.method === 'HEAD' ? undefined : JSON.stringify(body));
  };
}
