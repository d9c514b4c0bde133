/** A final, unmasked text frame, as servers send them (RFC 6455, section 5.2). */
const finalText = 0x81;
const twoByteLength = 126;
const longestInOneByte = 125;
const longestHead = 4;
const mostBytesOfCharacter = 3;

/** Characters in a text whose length two bytes can tell, whatever characters they are. */
export const longestFramed = Math.floor(0xffff / mostBytesOfCharacter);

let scratch = Buffer.allocUnsafe(64 * 1024);

/**
 * Texts as WebSocket frames, one after the other in one piece: written once, without a buffer, a head and two calls of
 * the stream for each. None may be longer than `longestFramed`.
 */
export function framesOf(texts: readonly string[]): Buffer {
  let most = 0;
  for (const text of texts) most += longestHead + text.length * mostBytesOfCharacter;
  if (scratch.length < most) scratch = Buffer.allocUnsafe(most);
  let end = 0;
  for (const text of texts) end = writeFrame(text, end);
  return Buffer.from(scratch.subarray(0, end));
}

/**
 * The same for texts of which every character is one byte, as nearly all are: one text to be written as `latin1`, which
 * needs no buffer at all. Undefined for others.
 */
export function frameTextOf(texts: readonly string[]): string | undefined {
  let frames = '';
  for (const text of texts) {
    const { length } = text;
    if (Buffer.byteLength(text) !== length) return undefined;
    const head =
      length <= longestInOneByte
        ? String.fromCharCode(finalText, length)
        : String.fromCharCode(finalText, twoByteLength, length >> 8, length & 0xff);
    frames += head + text;
  }
  return frames;
}

/** Returns where the frame ends. */
function writeFrame(text: string, start: number): number {
  const isShort = text.length <= longestInOneByte && Buffer.byteLength(text) <= longestInOneByte;
  const body = start + (isShort ? 2 : longestHead);
  const length = scratch.write(text, body);
  scratch[start] = finalText;
  if (isShort) scratch[start + 1] = length;
  else {
    scratch[start + 1] = twoByteLength;
    scratch.writeUInt16BE(length, start + 2);
  }
  return body + length;
}
