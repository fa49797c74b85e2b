import { deflateRawSync, inflateRawSync } from "node:zlib";
import { createSealer, type Sealer } from "../secrets";

/** The text of one side. */
export interface BodyMessage {
  /** Without parameters; "" when none was named. */
  contentType: string;
  /** Size of the whole body, including the part that was not kept. */
  sizeBytes: number;
  /** undefined for a body that is no text: only its type and size are kept. */
  bytes: Uint8Array | undefined;
}

/** The request and the answer of one call, as they crossed the border to the client. */
export interface StoredBody {
  requestId: string;
  userId: number;
  /** Unix seconds. */
  createdAt: number;
  /** The address without a key, "/v1/messages"; undefined for a body from before addresses were kept. */
  path: string | undefined;
  request: BodyMessage;
  answer: BodyMessage & {
    /** HTTP status, 0 when the connection ended before there was one. */
    status: number;
  };
}

/** The part of a stored body that is sealed. */
type Content = Pick<StoredBody, "path" | "request" | "answer">;

/** Fast rather than small: text shrinks well at any level. */
const LEVEL = 3;
const LENGTH_BYTES = 4;

type Kept = Omit<BodyMessage, "bytes"> & {
  /** How many bytes are kept; absent where none are to be shown. */
  keptBytes?: number;
};

interface Head {
  path?: string;
  request: Kept;
  answer: Kept & { status: number };
}

const keptOf = ({ contentType, sizeBytes, bytes }: BodyMessage): Kept => ({
  contentType,
  sizeBytes,
  ...(bytes === undefined ? {} : { keptBytes: bytes.byteLength }),
});

/** Seals bodies with a key of their own, on every engine the same. */
export const createBodySealer = (masterKey: Uint8Array): Sealer => createSealer(masterKey, "tollgate bodies");

/** Both messages in one piece: the length of a JSON head, the head, the request, the answer; compressed and sealed. */
export const sealBody = ({ path, request, answer }: Content, sealer: Sealer): Buffer => {
  const head: Head = {
    ...(path === undefined ? {} : { path }),
    request: keptOf(request),
    answer: { ...keptOf(answer), status: answer.status },
  };
  const headBytes = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(headBytes.byteLength);
  const none = new Uint8Array(0);
  const whole = Buffer.concat([length, headBytes, request.bytes ?? none, answer.bytes ?? none]);
  return sealer.seal(deflateRawSync(whole, { level: LEVEL }));
};

/** @throws when it was sealed under another master key, or was altered. */
export const openBody = (sealed: Uint8Array, sealer: Sealer): Content => {
  const whole = inflateRawSync(sealer.open(sealed));
  let position = LENGTH_BYTES + whole.readUInt32BE(0);
  const head: Head = JSON.parse(whole.toString("utf8", LENGTH_BYTES, position));
  const take = ({ contentType, sizeBytes, keptBytes }: Kept): BodyMessage => {
    if (keptBytes === undefined) return { contentType, sizeBytes, bytes: undefined };
    const bytes = whole.subarray(position, position + keptBytes);
    position += keptBytes;
    return { contentType, sizeBytes, bytes };
  };
  const request = take(head.request);
  return { path: head.path, request, answer: { ...take(head.answer), status: head.answer.status } };
};
