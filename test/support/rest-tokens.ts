type Kind = 'publish_token' | 'subscribe_token';

/** The fields of a record that the tests read. */
interface TokenAnswer {
  readonly Id: number;
  readonly Token: string;
  readonly boundIps: readonly { readonly address: string; readonly boundOn: string }[];
  readonly [field: string]: unknown;
}

/** Creates and changes tokens over REST, as a customer's backend does. */
export class RestTokens {
  readonly #origin: string;
  readonly #secret: string;

  constructor(origin: string, secret: string) {
    this.#origin = origin;
    this.#secret = secret;
  }

  /** The value of a new publish token for the stream. */
  async publish(streamName: string, fields: object = {}): Promise<string> {
    return (await this.create('publish_token', { streams: [{ streamName }], ...fields })).Token;
  }

  /** The value of a new subscribe token for the stream. */
  async subscribe(streamName: string, fields: object = {}): Promise<string> {
    return (await this.create('subscribe_token', { streams: [{ streamName }], ...fields })).Token;
  }

  create(kind: Kind, body: object): Promise<TokenAnswer> {
    return this.#call('POST', kind, body);
  }

  update(kind: Kind, id: number, body: object): Promise<TokenAnswer> {
    return this.#call('PUT', `${kind}/${id}`, body);
  }

  get(kind: Kind, id: number): Promise<TokenAnswer> {
    return this.#call('GET', `${kind}/${id}`);
  }

  async delete(kind: Kind, id: number): Promise<void> {
    await this.#call('DELETE', `${kind}/${id}`);
  }

  async #call(method: string, path: string, body?: object) {
    const response = await fetch(`${this.#origin}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = await response.json();
    if (!response.ok) throw new Error(data.message);
    return data;
  }
}
