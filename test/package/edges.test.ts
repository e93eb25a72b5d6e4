import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { childOf, childrenOf, nameOf, SourceFile, sourceFiles, type SyntaxNode } from '../support/syntax-tree.js';

/** The mechanism itself. */
const FAULTS = /^server\/faults\//;

/** Events of sockets, processes, streams and signals. The emitters of the server contain the faults of their listeners. */
const EDGE_EVENTS: ReadonlySet<string> = new Set([
  'abort',
  'close',
  'connect',
  'connection',
  'data',
  'disconnect',
  'drain',
  'end',
  'error',
  'exit',
  'finish',
  'message',
  'notification',
  'open',
  'pong',
  'readable',
  'request',
  'response',
  'timeout',
  'upgrade',
]);
const ADDS_LISTENER: ReadonlySet<string> = new Set([
  'on',
  'once',
  'addListener',
  'prependListener',
  'addEventListener',
]);
const TIMERS: ReadonlySet<string> = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'nextTick',
]);
/** What a listener may call without containment, because it does not throw. */
const NEVER_THROWS: ReadonlySet<string> = new Set([
  'abort',
  'add',
  'cancel',
  'clear',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'delete',
  'destroy',
  'finish',
  'killChild',
  'off',
  'on',
  'once',
  'push',
  'refresh',
  'release',
  'reject',
  'removeEventListener',
  'removeListener',
  'reportFault',
  'resolve',
  'terminate',
  'unref',
]);

/** What wraps a listener. `guarded` of a class is `contain` with what ends its peer. */
const CONTAINS: ReadonlySet<string> = new Set(['contain', 'guarded']);
const THROWS: ReadonlySet<string> = new Set(['ThrowStatement', 'NewExpression', 'AwaitExpression']);
/** Functions that call functions of the same file. */
const MOST_DEEP = 4;

const isFunction = ({ type }: SyntaxNode) => /^(?:Arrow)?Function(?:Expression|Declaration)$/.test(type);

/** `setTimeout` of `setTimeout(…)` and of `globalThis.setTimeout(…)`. */
function calledName(call: SyntaxNode): string | undefined {
  const callee = childOf(call, 'callee');
  return callee?.type === 'MemberExpression' ? nameOf(callee['property']) : nameOf(callee);
}

/** The listener or callback of a call that adds one at an edge. */
function edgeListener(file: SourceFile, call: SyntaxNode): SyntaxNode | undefined {
  const name = calledName(call) ?? '';
  const [first, second] = childrenOf(call, 'arguments');
  if (ADDS_LISTENER.has(name)) return EDGE_EVENTS.has(nameOf(first) ?? '') ? second : undefined;
  const isMethod = childOf(call, 'callee')?.type === 'MemberExpression';
  // `socket.setTimeout(ms, callback)`
  if (isMethod && name === 'setTimeout') return second;
  if (TIMERS.has(name) && first && !imports(file, 'node:timers/promises', name)) return first;
  // `connection.onStateChange(callback)`: libdatachannel throws what its callback throws at nobody.
  if (isMethod && /^on[A-Z]/.test(name) && first && imports(file, 'node-datachannel')) {
    const value = isFunction(first) ? first : file.definitionOf(first);
    return value && isFunction(value) ? first : undefined;
  }
  return undefined;
}

function imports(file: SourceFile, module: string, name?: string): boolean {
  return file.nodes.some(
    (node) =>
      node.type === 'ImportDeclaration' &&
      node['importKind'] !== 'type' &&
      nameOf(node['source']) === module &&
      (name === undefined || childrenOf(node, 'specifiers').some(({ local }) => nameOf(local) === name)),
  );
}

/** Whether no fault of a listener leaves it: it is wrapped, or calls only what never throws. */
function isContained(file: SourceFile, listener: SyntaxNode, depth = 0): boolean {
  if (listener.type === 'CallExpression') return CONTAINS.has(calledName(listener) ?? '');
  if (!isFunction(listener)) {
    if (NEVER_THROWS.has(nameOf(listener) ?? '')) return true;
    const definition = file.definitionOf(listener);
    return definition !== undefined && depth < MOST_DEEP && isContained(file, definition, depth + 1);
  }
  return file.nodesIn(listener).every((node) => {
    if (THROWS.has(node.type)) return false;
    if (node.type !== 'CallExpression' || NEVER_THROWS.has(calledName(node) ?? '')) return true;
    const callee = childOf(node, 'callee');
    return callee?.type === 'Identifier' && isContained(file, callee, depth + 1);
  });
}

/** Each place where a fault would leave a listener of an edge. */
function uncontained(file: SourceFile): string[] {
  return file.nodes.flatMap((node) => {
    if (node.type !== 'CallExpression') return [];
    const listener = edgeListener(file, node);
    return listener && !isContained(file, listener) ? [file.location(listener)] : [];
  });
}

/** Promises of this file that nobody waits for, and whose rejection nobody catches. */
function unawaited(file: SourceFile): string[] {
  const asyncNames = new Set(
    file.nodes.flatMap((node) => {
      const value = node.type === 'MethodDefinition' ? childOf(node, 'value') : node;
      return value?.['async'] === true ? (nameOf(node['key']) ?? nameOf(node['id']) ?? []) : [];
    }),
  );
  return file.nodes.flatMap((node) => {
    const argument =
      node.type === 'UnaryExpression' && node['operator'] === 'void' ? childOf(node, 'argument') : undefined;
    return argument?.type === 'CallExpression' && asyncNames.has(calledName(argument) ?? '')
      ? [file.location(node)]
      : [];
  });
}

const sources = sourceFiles(process.cwd(), 'server').filter(({ path }) => !FAULTS.test(path));
const read = (text: string) => new SourceFile('example.ts', text);

describe('the edges of the server', () => {
  it('contain the faults of their listeners', () => {
    assert.deepEqual(sources.flatMap(uncontained), [], 'wrap each with contain() of server/faults');
  });

  it('leave no promise alone that may be rejected', () => {
    assert.deepEqual(sources.flatMap(unawaited), [], 'use attempt() of server/faults instead of void');
  });

  it('have emitters that contain the faults of their listeners', () => {
    const found = sources.flatMap((file) =>
      file.nodes
        .filter(
          ({ type, superClass, callee }) =>
            ((type === 'ClassDeclaration' || type === 'ClassExpression') && nameOf(superClass) === 'EventEmitter') ||
            (type === 'NewExpression' && nameOf(callee) === 'EventEmitter'),
        )
        .map((node) => file.location(node)),
    );
    assert.deepEqual(found, [], 'use Emitter of server/faults instead of EventEmitter');
  });

  it('have emitters that emit themselves: an event has one owner', () => {
    const found = sources.flatMap((file) =>
      file.nodes
        .filter((node) => {
          if (node.type !== 'CallExpression' || calledName(node) !== 'emit') return false;
          const callee = childOf(node, 'callee');
          const owner = callee && childOf(callee, 'object');
          // A server of Node takes a connection that was made elsewhere by this event.
          return owner?.type !== 'ThisExpression' && nameOf(childrenOf(node, 'arguments')[0]) !== 'connection';
        })
        .map((node) => file.location(node)),
    );
    assert.deepEqual(found, [], 'give the class of the emitter a method');
  });

  it('are found in every form', () => {
    for (const text of [
      `socket.on('message', (data) => handle(data));`,
      `child.once('exit', onExit);`,
      `setTimeout(() => this.close(), 10);`,
      `setImmediate(run);`,
      `queueMicrotask(() => { throw new Error('x'); });`,
      `tcp.setTimeout(10, () => log('late'));`,
      `signal.addEventListener('abort', async () => { await close(); });`,
      `const tick = () => work(); setInterval(tick, 10);`,
    ])
      assert.equal(uncontained(read(text)).length, 1, text);
    for (const text of [
      `socket.on('message', contain('signalling', (data) => handle(data)));`,
      `sessions.on('opened', (session) => count(session));`,
      `setTimeout(() => socket.destroy(), 10);`,
      `tcp.setTimeout(10, () => tcp.destroy());`,
      `const tick = contain('media', () => work()); setInterval(tick, 10);`,
      `import { setTimeout } from 'node:timers/promises'; await setTimeout(10);`,
    ])
      assert.deepEqual(uncontained(read(text)), [], text);
    assert.equal(unawaited(read(`class A { async flush() {} run() { void this.flush(); } }`)).length, 1);
    assert.deepEqual(unawaited(read(`class A { flush() {} run() { return void this.flush(); } }`)), []);
  });
});
