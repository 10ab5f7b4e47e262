/** Text messages as frames of the WebSocket protocol, as a server sends them: whole and unmasked (RFC 6455, 5.2). */

/** Below it, copying is cheaper than a chunk more; from it on, all who are sent the same share the memory. */
const SHARED_FROM_BYTES = 16 * 1024;
const TEXT = 0x81;
const NOTHING = Buffer.alloc(0);

/** The chunks of one message: `start`, and then `end`, which is UTF-8 and must not change any more. */
export function textFrame(start: string, end: Buffer = NOTHING): readonly Buffer[] {
  const startBytes = Buffer.byteLength(start);
  const length = startBytes + end.length;
  const headBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const isShared = end.length >= SHARED_FROM_BYTES;
  const frame = Buffer.allocUnsafe(headBytes + startBytes + (isShared ? 0 : end.length));
  frame[0] = TEXT;
  if (headBytes === 2) {
    frame[1] = length;
  } else if (headBytes === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(start, headBytes);
  if (isShared) return [frame, end];
  end.copy(frame, headBytes + startBytes);
  return [frame];
}
