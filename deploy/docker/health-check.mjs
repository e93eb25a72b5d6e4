// The health check of the image: ends with 0 if the server in this container can admit viewers, and otherwise with 1.
import { get as overHttp } from 'node:http';
import { get as overHttps } from 'node:https';

const { HOST, PORT = '8080', TLS_CERT } = process.env;
const EVERY_ADDRESS = ['', '0.0.0.0', '::'];
const hostname = HOST === undefined || EVERY_ADDRESS.includes(HOST) ? '127.0.0.1' : HOST;

// The certificate is for the public name, and this is the same machine.
const options = { hostname, port: PORT || '8080', path: '/healthz', timeout: 4_000, rejectUnauthorized: false };
const request = (TLS_CERT ? overHttps : overHttp)(options, (response) =>
  process.exit(response.statusCode === 200 ? 0 : 1),
);
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
