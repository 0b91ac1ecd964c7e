/** The end of the last whole UTF-8 character: less than all bytes when the last one has only begun. */
export function endOfWholeCharacters(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return length;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? length - back : length;
    }
  }
  return length;
}
