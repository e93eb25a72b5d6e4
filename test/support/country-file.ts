/** The bytes of a database of countries in MaxMind's format 2.0, for IPv6 with IPv4 as `::/96`, as MaxMind writes it. */
export function countryFile(countryOfRange: Readonly<Record<string, string>>): Buffer {
  const tree: Node[] = [[undefined, undefined]];
  const data: Buffer[] = [];
  let dataBytes = 0;
  for (const [range, country] of Object.entries(countryOfRange)) {
    const record = mapOf([['country', mapOf([['iso_code', textOf(country)]])]]);
    insert(tree, bitsOf(range), { data: dataBytes });
    data.push(record);
    dataBytes += record.length;
  }
  const nodes = tree.flatMap((node) => node.map((child) => numberBytes(pointerOf(child, tree.length), 4)));
  const metadata = mapOf([
    ['node_count', uint32(tree.length)],
    ['record_size', uint16(32)],
    ['ip_version', uint16(6)],
    ['database_type', textOf('Test-Country')],
    ['binary_format_major_version', uint16(2)],
    ['binary_format_minor_version', uint16(0)],
    ['build_epoch', uint32(1)],
  ]);
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
  return Buffer.concat([...nodes, Buffer.alloc(16), ...data, marker, metadata]);
}

type Child = number | { readonly data: number } | undefined;
type Node = [Child, Child];

function insert(tree: Node[], bits: readonly (0 | 1)[], leaf: Child): void {
  let at = 0;
  bits.forEach((bit, index) => {
    const node = tree[at]!;
    if (index === bits.length - 1) {
      node[bit] = leaf;
      return;
    }
    const next = node[bit];
    at = typeof next === 'number' ? next : tree.push([undefined, undefined]) - 1;
    node[bit] = at;
  });
}

/** A record is a node, `nodeCount` for nothing, or the place of its data behind the separator of 16 bytes. */
function pointerOf(child: Child, nodeCount: number): number {
  if (child === undefined) return nodeCount;
  return typeof child === 'number' ? child : nodeCount + 16 + child.data;
}

/** @param range IPv4 as `192.0.2.0/24`, or IPv6 with all of its groups that are not zero at the front: `2001:db8::/32` */
function bitsOf(range: string): (0 | 1)[] {
  const [address = '', length = ''] = range.split('/');
  const isIpv4 = address.includes('.');
  const bytes = isIpv4
    ? [...Buffer.alloc(12), ...address.split('.').map(Number)]
    : address
        .replace(/::$/, '')
        .split(':')
        .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
  const bits = bytes.flatMap((byte) => Array.from({ length: 8 }, (_, bit) => ((byte >> (7 - bit)) & 1 ? 1 : 0)));
  return bits.slice(0, Number(length) + (isIpv4 ? 96 : 0));
}

function numberBytes(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}

/** Short texts only: the length is in the control byte. */
function textOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  return bytes.length < 29
    ? Buffer.concat([Buffer.from([0x40 | bytes.length]), bytes])
    : Buffer.concat([Buffer.from([0x40 | 29, bytes.length - 29]), bytes]);
}

const uint16 = (value: number) => Buffer.concat([Buffer.from([0xa2]), numberBytes(value, 2)]);
const uint32 = (value: number) => Buffer.concat([Buffer.from([0xc4]), numberBytes(value, 4)]);

function mapOf(entries: readonly [name: string, value: Buffer][]): Buffer {
  const size = Buffer.from([0xe0 | entries.length]);
  return Buffer.concat([size, ...entries.flatMap(([name, value]) => [textOf(name), value])]);
}
