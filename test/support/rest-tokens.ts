/** Tokens over REST, as a customer's backend makes them. */
export class RestTokens {
  readonly #origin: string;
  readonly #secret: string;

  constructor(origin: string, secret: string) {
    this.#origin = origin;
    this.#secret = secret;
  }

  publish(streamName: string, fields: object = {}): Promise<string> {
    return this.#create('publish_token', { streams: [{ streamName }], ...fields });
  }

  subscribe(streamName: string, fields: object = {}): Promise<string> {
    return this.#create('subscribe_token', { streams: [{ streamName }], ...fields });
  }

  async #create(path: string, body: object): Promise<string> {
    const response = await fetch(`${this.#origin}/api/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { data } = await response.json();
    if (!response.ok) throw new Error(data.message);
    return data.Token;
  }
}
