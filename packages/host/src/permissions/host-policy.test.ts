import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHostPolicy, formatHostPort, parseHost, parseHostEntry, parsePort, splitPort } from './host-policy.ts';
import { addressKind, formatIpAddress, ipAddressOf, parseIpAddress } from './ip-address.ts';

function hostOf(text: string) {
  const host = parseHost(text);
  if (!host) throw new Error(`${text} is no host`);
  return host;
}
const allows = (entries: string[], host: string, port: number) =>
  createHostPolicy(entries).allowsHost(hostOf(host), port);
const leadsTo = (entries: string[], address: string, port: number) => {
  const parsed = parseIpAddress(address);
  if (!parsed) throw new Error(`${address} is no address`);
  return createHostPolicy(entries).allowsAddress(parsed, port);
};

describe('the host as it is written', () => {
  test.each<[entries: string[], host: string, port: number, isAllowed: boolean]>([
    [[], 'example.com', 443, false],
    [['example.com'], 'example.com', 443, true],
    [['example.com'], 'example.com', 80, true],
    [['example.com'], 'example.com', 8080, false],
    [['example.com:8080'], 'example.com', 8080, true],
    [['example.com:8080'], 'example.com', 443, false],
    [['example.com'], 'www.example.com', 443, false],
    [['example.com'], 'example.com.evil.test', 443, false],
    [['example.com'], 'notexample.com', 443, false],
    [['EXAMPLE.com.'], 'Example.COM', 443, true],
    [['example.com'], 'example.com.', 443, true],
    [['*.example.org'], 'a.example.org', 443, true],
    [['*.example.org'], 'a.b.example.org', 443, true],
    [['*.example.org'], 'example.org', 443, false],
    [['*.example.org'], 'aexample.org', 443, false],
    [['*.example.org'], 'example.org.evil.test', 443, false],
    [['*.example.org:8443'], 'a.example.org', 8443, true],
    [['*.example.org:8443'], 'a.example.org', 443, false],
    [['bücher.example'], 'xn--bcher-kva.example', 443, true],
    [['xn--bcher-kva.example'], 'BÜCHER.example', 443, true],
    [['*'], 'anything.example', 5432, true],
    [['*:443'], 'anything.example', 443, true],
    [['*:443'], 'anything.example', 80, false],
    [['*'], '8.8.8.8', 53, true],
    [['*'], '127.0.0.1', 80, false],
    [['*'], '10.0.0.1', 80, false],
    [['*'], '[::1]', 80, false],
    [['8.8.8.8:53'], '8.8.8.8', 53, true],
    [['8.8.8.8:53'], '8.8.4.4', 53, false],
    [['8.8.8.8:53'], '::ffff:8.8.8.8', 53, true],
    [['10.1.2.3:80'], '10.1.2.3', 80, true],
    [['[2606:4700::1111]:443'], '2606:4700:0:0:0:0:0:1111', 443, true],
    [['2606:4700::1111'], '[2606:4700::1111]', 443, true],
    [['localhost:8080'], 'localhost', 8080, true],
    [['localhost:8080'], 'LOCALHOST.', 8080, true],
    [['localhost:8080'], '127.0.0.1', 8080, true],
    [['localhost:8080'], '[::1]', 8080, true],
    [['localhost:8080'], '127.0.0.1', 8081, false],
    [['localhost:8080'], '10.0.0.1', 8080, false],
    [['localhost:8080'], 'a.localhost', 8080, false],
    [['127.0.0.1:8080'], 'localhost', 8080, false],
    [['127.0.0.1:8080'], '127.0.0.2', 8080, false],
  ])('%j: %s at port %i is allowed: %s', (entries, host, port, isAllowed) => {
    expect(allows(entries, host, port)).toBe(isAllowed);
  });

  test('a name is looked up when it is allowed at some port', () => {
    const policy = createHostPolicy(['db.example.com:5432', '*.example.org']);
    expect(policy.allowsLookup('db.example.com')).toBe(true);
    expect(policy.allowsLookup('a.example.org')).toBe(true);
    expect(policy.allowsLookup('example.com')).toBe(false);
  });
});

describe('the address that a name led to', () => {
  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '0.0.0.0',
    '0.1.2.3',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::808:808',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '100::1',
    '5f00::1',
    '4000::1',
  ])('%s is denied to any name', (address) => {
    expect(leadsTo(['*', 'example.com'], address, 443)).toBe(false);
  });

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '2606:4700::1',
    '64:ff9b::8.8.8.8',
    '::ffff:8.8.8.8',
    '2a00:1450::1',
  ])('%s is the internet', (address) => expect(leadsTo(['example.com'], address, 443)).toBe(true));

  test('an address inside is allowed when it is named itself, at its port', () => {
    expect(leadsTo(['example.com', '10.0.0.1:443'], '10.0.0.1', 443)).toBe(true);
    expect(leadsTo(['example.com', '10.0.0.1:443'], '10.0.0.1', 80)).toBe(false);
    expect(leadsTo(['example.com', '10.0.0.1:443'], '10.0.0.2', 443)).toBe(false);
    expect(leadsTo(['localhost:443'], '127.0.0.1', 443)).toBe(true);
    expect(leadsTo(['localhost:443'], '192.168.0.1', 443)).toBe(false);
    expect(leadsTo(['[::1]:443'], '::1', 443)).toBe(true);
  });
});

describe('entries', () => {
  test.each([
    '',
    ' ',
    'https://a.example',
    'a.example/x',
    'a.example:',
    'a.example:0',
    'a.example:65536',
    'a.example:080',
    'a.example:x',
  ])('%j is refused and quoted', (entry) => expect(() => parseHostEntry(entry)).toThrow(JSON.stringify(entry)));
  test.each([
    'a*.example',
    '*example',
    '*.',
    '**.example',
    '*.10.0.0.1',
    '*.*.example',
    'user@a.example',
    '-a.example',
    'a..example',
  ])('%j is refused', (entry) => expect(() => parseHostEntry(entry)).toThrow(/is no host/));
  test.each([
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '127.0.0.01',
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    'a.0x',
    '[1.2.3.4]',
    '[::1',
    '::1]',
    '[a.example]',
    'fe80::1%eth0',
  ])('no other way to write an address is a host: %s', (text) => expect(parseHost(text)).toBeUndefined());
  test.each(['0.0.0.0', '224.0.0.1', '255.255.255.255', '[::]', '[ff02::1]:80'])(
    '%s cannot be named: it is no single host',
    (entry) => expect(() => parseHostEntry(entry)).toThrow(/no single host/),
  );
  test.each([
    'a.example\0',
    'a.example\n',
    'a%2eexample',
    'a example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}b`,
    '\u00ad',
    '。',
    'a/b',
  ])('text that is no name is no host: %j', (text) => expect(parseHost(text)).toBeUndefined());
});

describe('for every input', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const address = fc
    .oneof(fc.array(byte, { minLength: 4, maxLength: 4 }), fc.array(byte, { minLength: 16, maxLength: 16 }))
    .map(ipAddressOf);
  const port = fc.integer({ min: 1, max: 65_535 });

  test('an address is read back from its text', () => {
    fc.assert(
      fc.property(address, (one) => {
        expect(parseIpAddress(formatIpAddress(one))).toEqual(one);
      }),
    );
  });

  test('an IPv6 text is read as the URL parser reads it', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const own = parseIpAddress(text);
        const canonical = (host: string) => new URL(`http://[${host}]`).hostname;
        const back = own && formatIpAddress(own);
        expect(back && canonical(back.includes('.') ? `::ffff:${back}` : back)).toBe(canonical(text));
      }),
    );
  });

  test('an entry allows its own host and port, and no other port', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.domain(), address.filter((one) => addressKind(one) !== 'unusable').map(formatIpAddress)),
        port,
        port,
        (text, own, other) => {
          const host = parseHost(text);
          fc.pre(host !== undefined && own !== other);
          const policy = createHostPolicy([formatHostPort(host, own)]);
          expect(policy.allowsHost(host, own)).toBe(true);
          expect(policy.allowsHost(host, other)).toBe(false);
        },
      ),
    );
  });

  test('no text makes a name that a URL would take for another host', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.domain(), fc.ipV4Extended());
    fc.assert(
      fc.property(text, (one) => {
        const host = parseHost(one);
        if (host?.type !== 'name') return;
        expect(new URL(`http://${host.name}/`).hostname).toBe(host.name);
      }),
      { numRuns: 1000 },
    );
  });

  test('an authority is split and joined without loss', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), address.map(formatIpAddress)), port, (text, number) => {
        const host = parseHost(text);
        fc.pre(host !== undefined);
        const [hostText, portText] = splitPort(formatHostPort(host, number));
        expect(parseHost(hostText)).toEqual(host);
        expect(parsePort(portText ?? '')).toBe(number);
      }),
    );
  });
});
