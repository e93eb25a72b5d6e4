import { commonSearch } from './page-query.js';
import { pathOf } from './routes.js';
import { tokenKinds, type TokenKind } from './tokens/token-kind.js';

export interface NamedToken {
  readonly kind: TokenKind;
  readonly id: number;
}

/** The address of the form that edits a token. @param search of the present address */
export const tokenPath = ({ kind, id }: NamedToken, search: string): string =>
  `${pathOf('tokens')}${commonSearch(search)}#edit=${kind}/${id}`;

/** The token that the address names. @param hash of the address */
export function tokenNamedBy(hash: string): NamedToken | undefined {
  const [, word, digits] = /^#edit=([a-z]+)\/([1-9]\d{0,15})$/.exec(hash) ?? [];
  const kind = tokenKinds.find((known) => known === word);
  return kind && { kind, id: Number(digits) };
}
