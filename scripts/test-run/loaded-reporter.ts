import { loading } from './loading.ts';

// No test begins before the reporters are loaded.
await loading;

export { default } from './node-reporter.ts';
