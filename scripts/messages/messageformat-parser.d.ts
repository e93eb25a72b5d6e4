// Version 5.2.0 has types for `require` alone. Delete this file when a version has types for `import` (its `exports`).
declare module '@messageformat/parser' {
  export interface Content {
    readonly type: 'content';
    readonly value: string;
  }
  export interface PlainArg {
    readonly type: 'argument';
    readonly arg: string;
  }
  export interface FunctionArg {
    readonly type: 'function';
    readonly arg: string;
    readonly key: string;
  }
  export interface Octothorpe {
    readonly type: 'octothorpe';
  }
  export interface Select {
    readonly type: 'plural' | 'select' | 'selectordinal';
    readonly arg: string;
    readonly cases: readonly { readonly key: string; readonly tokens: readonly Token[] }[];
    readonly pluralOffset?: number;
  }
  export type Token = Content | PlainArg | FunctionArg | Select | Octothorpe;
  /** @throws {Error} the text is not ICU MessageFormat; the message says where */
  export function parse(text: string): readonly Token[];
}
