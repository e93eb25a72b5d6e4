// A backend of your own next to Streamgate. People sign in here and get short-lived tokens from here.
//
//   STREAMGATE_SECRET=… SIGNING_TOKEN_ID=7 SIGNING_TOKEN=… node server.js
import { randomUUID } from 'node:crypto';
import express from 'express';
import { ManagementClient, signSubscribeToken } from 'streamgate/management';

const {
  PORT = '3000',
  STREAMGATE_URL = 'http://localhost:8080',
  STREAMGATE_SECRET, // the API secret: `npx streamgate secret create`
  SIGNING_TOKEN_ID, // the id of a subscribe token …
  SIGNING_TOKEN, // … and its value. The tokens of all viewers are signed with it.
} = process.env;

const STREAM = 'keynote';
const FIVE_MINUTES = 5 * 60;

const streamgate = new ManagementClient({ endpoint: STREAMGATE_URL, secret: STREAMGATE_SECRET });

const app = express();
app.use(express.urlencoded({ extended: false }));

// ---- Sign-in: replace this part with that of your site.

/** Users by session id. */
const sessions = new Map();

app.post('/sign-in', ({ body }, response) => {
  const session = randomUUID();
  sessions.set(session, { name: String(body.name ?? ''), isPresenter: body.name === 'presenter' });
  response.cookie('session', session, { httpOnly: true, sameSite: 'lax' });
  response.redirect(303, '/');
});

app.use((request, response, next) => {
  const [, session] = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '') ?? [];
  response.locals.user = sessions.get(session);
  next();
});

function signedIn(_request, response, next) {
  if (response.locals.user) next();
  else response.status(401).send('Sign in first');
}

// ---- Tokens

/** A viewer's token, signed here without a call to Streamgate. It expires after five minutes; then the tag requests another. */
app.post('/viewer-token', signedIn, async (_request, response) => {
  const parent = { id: Number(SIGNING_TOKEN_ID), token: SIGNING_TOKEN };
  response.send(await signSubscribeToken(parent, { streamName: STREAM, expires: FIVE_MINUTES }));
});

/** The presenter's token, created by Streamgate, so that it can be disabled or deleted on its own. */
app.post('/presenter-token', signedIn, async (_request, response) => {
  const { user } = response.locals;
  if (!user.isPresenter) return response.status(403).send('Only the presenter goes live');
  const { token } = await streamgate.publishTokens.create({
    label: user.name,
    streams: [{ streamName: STREAM }],
    subscribeRequiresAuth: true,
    expires: FIVE_MINUTES,
  });
  response.send(token);
});

// ---- Pages

const page = (content) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <title>Keynote</title>
  ${content}
</html>`;

const SIGN_IN = '<form method="post" action="/sign-in"><input name="name" required /><button>Sign in</button></form>';

const tag = (name, tokenPath) => `<script type="module" src="${STREAMGATE_URL}/streamgate.js"></script>
  <${name} stream-name="${STREAM}" controls autoplay></${name}>
  <script type="module">
    document.querySelector('${name}').tokenProvider = async () => {
      const answer = await fetch('${tokenPath}', { method: 'POST' });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.text();
    };
  </script>`;

app.get('/', (_request, response) => {
  response.send(page(response.locals.user ? tag('stream-viewer', '/viewer-token') : SIGN_IN));
});

app.get('/present', signedIn, (_request, response) => {
  response.send(page(tag('stream-broadcaster', '/presenter-token')));
});

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`http://localhost:${server.address().port}\n`);
});
