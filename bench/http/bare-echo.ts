// The smallest useful Express 5 server: it parses a JSON body and answers with it.
import express from 'express';
import type { AddressInfo } from 'node:net';
import { reportCpu } from './http-process.js';

const app = express();
app.use(express.json());
app.post('/echo', (req, res) => {
  res.json(req.body);
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const body = JSON.stringify({ streamName: 'keynote', streamAccountId: 'main' });
  reportCpu(
    { url: `http://127.0.0.1:${port}/echo`, method: 'POST', headers: { 'content-type': 'application/json' }, body },
    async () => {
      server.close();
      server.closeAllConnections();
    },
  );
});
