import type { RequestListener } from 'node:http';

const RETRY_SECONDS = 5;

/** Answers every request while the server waits for its database. */
export function startingApp(since: Date): RequestListener {
  const code = 'database_unavailable';
  const message = 'The server starts when its database answers; try again in a moment';
  const problems = [{ code, message, since: since.toISOString() }];
  const body = JSON.stringify({ status: 'fail', data: { up: false, ready: false, problems, message, code } });
  return (req, res) => {
    // Else the body of the request would be taken for the next request.
    req.resume();
    res.writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': String(RETRY_SECONDS),
    });
    res.end(req.method === 'HEAD' ? undefined : body);
  };
}
